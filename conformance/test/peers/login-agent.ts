import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { authenticationRequired } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import { transportLine } from '../../src/wire/transport-line.ts';

/** An agent that creates sessions only after a login with the method `key`, on any connection. */
export function loginAgent(): AgentSubject {
  let isLoggedIn = false;
  return {
    name: 'login',
    open: () => {
      const [client, transport] = memoryPair();
      serveAgent(
        {
          info: { name: 'login', version: '1.0.0' },
          store: memoryStore(),
          promptCapabilities: {},
          mcpCapabilities: {},
          auth: {
            methods: [{ id: 'key', name: 'Key' }],
            authenticate: () => void (isLoggedIn = true),
            logout: () => void (isLoggedIn = false),
          },
          openSession: () => {
            if (!isLoggedIn) throw authenticationRequired();
          },
          prompt: (turn) => turn.say('hello'),
        },
        { transport },
      );
      return Promise.resolve(transportLine(client));
    },
  };
}
