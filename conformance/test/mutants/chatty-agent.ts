import { asMessage, type RawMessage } from '../../src/wire/messages.ts';
import { paramsOf } from './agent/protocol/said.ts';
import type { Defect } from './mutant-line.ts';

/** Kinds of updates that version 2 does not define, or that a client may ignore. */
const unusual: readonly RawMessage[] = [
  { sessionUpdate: '_raw/progress', percent: 7 },
  { sessionUpdate: 'notice', severity: '_raw/hint', title: 'Nothing happened' },
  { sessionUpdate: 'usage_update', used: 1, size: 2 },
  { sessionUpdate: 'state_update', state: '_raw/thinking' },
];

/**
 * Unusual behaviour that version 2 allows: the message of a prompt comes as a chunk and after the answer, states are repeated, an idle
 * without a reason follows, updates of unknown kinds come at any time, and `_meta` is everywhere.
 */
export const chattyAgent: Defect = () => {
  let echo: RawMessage | undefined;
  let isResuming: unknown;
  return {
    hears: (message) => {
      if (message['method'] === 'session/resume') isResuming = message['id'];
      return [message];
    },
    says: (message) => {
      const { sessionId, update } = paramsOf(message) as { sessionId?: unknown; update?: RawMessage };
      const result = asMessage(message['result']);
      if (message['method'] === undefined && message['id'] === isResuming) isResuming = undefined;
      if (result?.['messageId'] !== undefined && echo !== undefined) {
        const late = echo;
        echo = undefined;
        return [message, late];
      }
      if (result !== undefined) return [{ ...message, result: { ...result, _meta: { 'raw/any': [1] } } }];
      if (update === undefined || isResuming !== undefined) return [message];
      const told = (each: RawMessage): RawMessage => ({ ...message, params: { sessionId, update: each } });
      const kind = update['sessionUpdate'];
      if (kind === 'user_message') {
        const [content] = update['content'] as readonly RawMessage[];
        echo = told({ sessionUpdate: 'user_message_chunk', messageId: update['messageId'], content });
        return [];
      }
      if (kind !== 'state_update') return [message];
      if (update['state'] === 'idle') return [message, told({ sessionUpdate: 'state_update', state: 'idle' })];
      return [message, ...unusual.map(told), message];
    },
  };
};
