import type { Agent } from '@turnwire/client';
import { type AgentState, type AuthMethod, type Implementation, isSteerable } from '@turnwire/protocol';
import type { HostedAgent } from './hosted-agent.ts';
import { withForkPoints } from './fork-point.ts';

/** The offers of an agent, from its answer to `initialize`. */
type AgentOffers = NonNullable<AgentState['offers']>;

/** The part of an agent's answer to `initialize` that clients of the gateway need. */
export interface AgentFacts extends AgentOffers {
  readonly info: Implementation | undefined;
}

/** The facts before the agent runs: it may offer anything that a gateway passes on, and refuses the rest later. */
export const unknownAgent: AgentFacts = {
  info: undefined,
  capabilities: {
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { additionalDirectories: {} },
  },
  authMethods: [],
};

/** The offers of an agent to clients of a gateway. */
export function offersOf({ capabilities, authMethods, peer }: Agent, hosted: HostedAgent): AgentOffers {
  return {
    capabilities: withForkPoints(capabilities, hosted.differences),
    authMethods: shownLogins(authMethods, hosted),
    ...(isSteerable(peer.remote) && { steering: true }),
  };
}

/**
 * Returns the logins of an agent as clients see them. A login at a terminal would run on the machine of the client, where the agent does not run.
 * So it is shown with the command to run on the machine of the gateway; after that, a client logs in with it.
 */
function shownLogins(
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
