import { asMessage } from '../../wire/messages.ts';
import type { Rule } from '../rule.ts';

export const loginCommand: Rule = {
  name: 'A terminal login does not name a command',
  judges: 'agent',
  requirements: ['R065'],
  listen: ({ held, broken }) => ({
    sent: (frame) => {
      for (const { type, value } of frame.dissection.parts) {
        const method = asMessage(value);
        if (type !== 'AuthMethod' || method?.['type'] !== 'terminal') continue;
        if ('command' in method) broken('R065', 'A terminal login names the command that is to be run', frame);
        else held('R065');
      }
    },
  }),
};

export const knownLogin: Rule = {
  name: 'A client logs in with a method that was listed, and runs terminal logins by itself',
  judges: 'client',
  requirements: ['R056', 'R063'],
  listen: ({ facts, held, broken }) => ({
    sent: (frame) => {
      if (frame.kind !== 'request' || frame.method !== 'authenticate' || !facts.isAgentKnown) return;
      const { methodId } = frame.params;
      const listed = facts.authMethods.filter(({ id }) => id === methodId);
      if (listed.length === 0)
        return broken('R056', `authenticate names ${JSON.stringify(methodId)}, which was not listed`, frame);
      if (listed.some(({ type }) => type !== 'terminal')) {
        held('R056');
        if (facts.authMethods.some(({ type }) => type === 'terminal')) held('R063');
        return;
      }
      broken('R063', `authenticate names ${JSON.stringify(methodId)}, which is a terminal login`, frame);
    },
  }),
};
