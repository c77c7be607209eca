import {
  type AgentDefinition,
  memoryStore as agentStore,
  type ServedAgent,
  serveAgent,
  type SessionStore as AgentStore,
} from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { memoryPair, type MemoryTransport } from '@turnwire/transports/memory';
import type { HostedAgent } from '@turnwire/runtime';

/** An agent in this process: each start creates a new one, and all share one memory. */
export interface TestAgent {
  readonly hosted: HostedAgent;
  /** The number of starts. */
  readonly starts: number;
  /** Crashes the agent that was started last, or first; resolves when it is gone. */
  crash(which?: 'last' | 'first'): Promise<void>;
}

/** Serves an agent definition to a gateway. */
export function testAgent<Memory>(definition: AgentDefinition<Memory>, store: AgentStore = agentStore()): TestAgent {
  const running: { readonly wire: MemoryTransport; readonly served: ServedAgent }[] = [];
  return {
    hosted: {
      start: (options) => {
        const [near, wire] = memoryPair();
        running.push({ wire, served: serveAgent({ ...definition, store }, { transport: wire, log: () => undefined }) });
        return attachAgent(near, options);
      },
    },
    get starts() {
      return running.length;
    },
    crash: async (which = 'last') => {
      const ended = running.at(which === 'last' ? -1 : 0);
      ended?.wire.destroy(new Error('the agent crashed'));
      await ended?.served.closed;
    },
  };
}
