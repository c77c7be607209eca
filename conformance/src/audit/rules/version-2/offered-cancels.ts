import { asMessage, at, type RawMessage } from '../../../wire/messages.ts';
import type { Frame } from '../../frame.ts';
import { listener, type Rule } from '../../rule.ts';

/** In version 2 a client cancels only what has offered it: tool calls, terminals, child sessions. It sends nothing else to a child session. */
export const offeredCancels: Rule = listener('client', ['V064', 'V091'], ({ check }) => {
  const offers = new Map<string, boolean>();
  return {
    received: ({ update, sessionId }) => {
      const key = update && keyOf(sessionId, update);
      if (key !== undefined) offers.set(key, offers.get(key) === true || offersCancel(update));
    },
    sent: (frame) => {
      const { kind, method, sessionId, params } = frame;
      if (kind !== 'request' && kind !== 'notification') return;
      if (method === 'tool_call/cancel' || method === 'terminal/cancel') {
        const isOffered = offers.get(keyOf(sessionId, params) ?? '') === true;
        check('V064', !isOffered && `${method} was sent, but its target does not offer to be cancelled`, frame);
      }
      const child = offers.get(`child ${String(sessionId)}`);
      if (child === undefined) return;
      const isAllowed = method === 'session/cancel' && child;
      check('V091', !isAllowed && `${method} was sent with the id of a child session that does not offer it`, frame);
    },
  };
});

function keyOf(sessionId: string | undefined, fields: RawMessage): string | undefined {
  if (fields['sessionUpdate'] === 'subagent_update') return `child ${String(fields['sessionId'])}`;
  const { toolCallId, terminalId } = fields;
  const id = toolCallId ?? terminalId;
  return id === undefined ? undefined : JSON.stringify([sessionId, toolCallId === undefined, id]);
}

function offersCancel(update: Frame['update']): boolean {
  return asMessage(at(update, 'capabilities', 'cancel')) !== undefined;
}
