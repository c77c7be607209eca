import { asMessage, quoted } from '../../../wire/messages.ts';
import type { Frame } from '../../frame.ts';
import { listener, type Rule, type RuleContext } from '../../rule.ts';

/** A child session is announced before anything has its id, and its state is the same on both sides. */
export const children: Rule = listener('agent', ['V090', 'V092', 'V093'], (context) => {
  const { held, broken, check } = context;
  const opened = new Set<unknown>();
  const announced = new Set<unknown>();
  /** Updates of sessions that were neither opened nor announced before. */
  const early = new Map<unknown, Frame>();
  /** The last state of each child: in its own updates, and in those of its parent. */
  const own = new Map<unknown, Frame>();
  const mirrored = new Map<unknown, Frame>();
  return {
    received: (frame) => void opened.add(frame.sessionId),
    sent: (frame) => {
      if (frame.method === 'session/new') opened.add(frame.result?.['sessionId']);
      const { update, sessionId } = frame;
      if (update === undefined) return;
      if (!opened.has(sessionId)) {
        if (announced.has(sessionId)) held('V090');
        else early.set(sessionId, early.get(sessionId) ?? frame);
      }
      const kind = update.sessionUpdate;
      if (kind === 'state_update') own.set(sessionId, frame);
      if (kind === 'session_message') judgeMessage(frame, context);
      if (kind !== 'subagent_update') return;
      const before = early.get(update['sessionId']);
      if (before !== undefined)
        broken(
          'V090',
          `The session ${quoted(update['sessionId'])} sent updates before it was announced`,
          before,
          frame,
        );
      announced.add(update['sessionId']);
      if (asMessage(update['state']) !== undefined) mirrored.set(update['sessionId'], frame);
    },
    end: () => {
      for (const [id, frame] of mirrored) {
        const last = own.get(id);
        if (last === undefined) continue;
        const [here, there] = [last.update?.['state'], asMessage(frame.update?.['state'])?.['state']];
        const fault =
          here !== there && `The child session ${quoted(id)} is ${quoted(here)}, but its parent says ${quoted(there)}`;
        check('V092', fault, last, frame);
      }
    },
  };
});

function judgeMessage(frame: Frame, { check }: RuleContext): void {
  const { senderSessionId, recipientSessionId } = frame.update ?? {};
  const others = [senderSessionId, recipientSessionId];
  const isNamed = others.some((each) => typeof each === 'string' && each !== frame.sessionId);
  check('V093', !isNamed && 'A message between sessions does not name the other session', frame);
}
