import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { errorCodes, ProtocolError } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import { transportLine } from '../../src/wire/transport-line.ts';

/** An agent that cannot create sessions because it lacks a setting. */
export function unableAgent(): AgentSubject {
  return {
    name: 'unable',
    open: () => {
      const [client, transport] = memoryPair();
      serveAgent(
        {
          info: { name: 'unable', version: '1.0.0' },
          store: memoryStore(),
          promptCapabilities: {},
          mcpCapabilities: {},
          auth: { methods: [], authenticate: () => undefined, logout: () => undefined },
          openSession: () => {
            throw new ProtocolError(errorCodes.internalError, 'no model is set up');
          },
          prompt: () => undefined,
        },
        { transport },
      );
      return Promise.resolve(transportLine(client));
    },
  };
}
