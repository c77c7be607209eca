// An agent as a separate process. After the prompt `FIRST COUNT RATE` it sends COUNT stamped updates, RATE a second.
import { connectAgent } from '@turnwire/protocol';
import { serveStdio } from '@turnwire/transports/stdio';
import { initializeResponse } from '../wire/script.ts';
import { onSchedule, stamped } from './stamp.ts';

let sessions = 0;

connectAgent(serveStdio(), {
  initialize: () => initializeResponse,
  'session/new': () => ({ sessionId: `${process.pid}-${++sessions}` }),
  'session/prompt': async ({ sessionId, prompt: [block] }, { peer }) => {
    const [first = 0, count = 0, rate = 0] = (block as { readonly text: string }).text.split(' ').map(Number);
    await onSchedule({ rate, count }, (index, dueAt) => {
      const text = stamped({ serial: first + index, dueAt, process: process.pid });
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } as const;
      return peer.notify('session/update', { sessionId, update });
    });
    return { stopReason: 'end_turn' };
  },
});
