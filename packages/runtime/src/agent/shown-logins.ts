import type { AuthMethod } from '@turnwire/protocol';
import type { HostedAgent } from './hosted-agent.ts';

/**
 * The logins of an agent as clients see them. One at a terminal would run on the machine of the client, where the agent is not: it is shown
 * with the command to run on the machine of the gateway, and is done when a client logs in with it after that.
 */
export function shownLogins(
  methods: readonly AuthMethod[],
  { loginCommand }: Pick<HostedAgent, 'loginCommand'>,
): readonly AuthMethod[] {
  if (!loginCommand) return methods;
  return methods.map((method) => {
    if (method.type !== 'terminal') return method;
    const { id, name, description, _meta } = method;
    const command = loginCommand(method);
    const advice = `First run this in a terminal on the machine of the agent: ${command}`;
    return {
      id,
      name,
      description: typeof description === 'string' ? `${description}\n${advice}` : advice,
      _meta: { ..._meta, turnwire: { command } },
    };
  });
}
