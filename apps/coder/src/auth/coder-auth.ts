import type { AgentAuth } from '@turnwire/agent';
import type { AuthMethod } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import { keyProviders } from '../keys/key-providers.ts';
import { printToStderr } from '../printing.ts';

const terminalMethod: AuthMethod = {
  type: 'terminal',
  id: 'terminal',
  name: 'Log in at a terminal',
  description: 'Asks for the API key of a model provider in a terminal.',
  args: ['login'],
};

/** The logins for model providers. Their code is loaded when one is used. */
export function coderAuth(env: Environment = process.env): AgentAuth {
  return {
    methods: [...keyProviders.map(keyMethod), terminalMethod],
    isUsable: (method, { elicitation }) => method === terminalMethod || Boolean(elicitation?.url),
    authenticate: async (methodId, login) => (await import('./log-in.ts')).logIn(methodId, login, env),
    logout: async () => {
      const { variables } = await (await import('./log-out.ts')).logOut(env);
      if (variables.length > 0)
        printToStderr(`Logged out; keys in the environment still count: ${variables.join(', ')}.`);
    },
  };
}

function keyMethod({ id, name }: { readonly id: string; readonly name: string }): AuthMethod {
  return {
    id,
    name: `${name} API key`,
    description: `Asks for your ${name} key in your browser, and stores it on this machine.`,
  };
}
