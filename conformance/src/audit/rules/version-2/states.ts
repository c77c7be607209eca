import { objectsIn, quoted } from '../../../wire/messages.ts';
import type { Frame } from '../../frame.ts';
import { listener, type Rule, type RuleContext } from '../../rule.ts';
import { Replays } from './replays.ts';

/** Updates that only foreground work sends, unless background work is reported. */
const ofWork = /^agent_(?:message|thought)/;

/** The state of a session, as far as the connection shows it. */
class SessionState {
  /** The last state; undefined if it is unknown. */
  last: Frame | undefined;
  /** Whether the work was blocked on the user. */
  wasBlocked = false;
  /** Whether work has run since the last `idle`. */
  hasRun = false;
  /** The first message that was inserted since the last `idle`. */
  inserted: Frame | undefined;
  /** The `session/cancel` that came while work ran. */
  cancel: Frame | undefined;
  /** The `idle` that ended cancelled work, until other work begins. */
  cancelled: Frame | undefined;
  readonly questions = new Set<Frame>();
}

/** Work begins with a state, continues with `running` after `requires_action`, and ends with `idle`. */
export const states: Rule = listener('agent', ['V041', 'V042', 'V047', 'V061'], (context) => {
  const sessions = new Map<string, SessionState>();
  const replays = new Replays();
  const stateOf = (frame: Frame): SessionState => {
    const id = frame.sessionId ?? '';
    const known = sessions.get(id) ?? new SessionState();
    sessions.set(id, known);
    return known;
  };
  return {
    received: (frame) => {
      replays.take(frame);
      const state = stateOf(frame);
      if (frame.method === 'session/cancel' && state.hasRun) state.cancel = frame;
      // Later updates may belong to this prompt, because work can begin before its message is inserted.
      if (frame.method === 'session/prompt') state.cancelled = undefined;
      if (frame.kind === 'answer' && frame.request !== undefined) state.questions.delete(frame.request);
    },
    sent: (frame) => {
      const isReplay = replays.take(frame);
      const state = stateOf(frame);
      if (frame.kind === 'request') state.questions.add(frame);
      const kind = String(frame.update?.sessionUpdate);
      if (kind === 'state_update') return judgeState(frame, state, context);
      if (isReplay) return;
      if (kind.startsWith('user_message')) state.inserted ??= frame;
      if (ofWork.test(kind)) judgeOutput(frame, state, context);
    },
  };
});

function judgeState(frame: Frame, state: SessionState, context: RuleContext): void {
  const { update } = frame;
  if (update?.['state'] === 'idle') judgeIdle(frame, state, context);
  else {
    state.hasRun = true;
    state.wasBlocked ||= update?.['state'] === 'requires_action';
    state.cancelled = undefined;
  }
  state.last = frame;
}

function judgeIdle(frame: Frame, state: SessionState, { held, check }: RuleContext): void {
  const { stopReason, background } = frame.update ?? {};
  const { hasRun, inserted, cancel } = state;
  Object.assign(state, { hasRun: false, inserted: undefined, cancel: undefined });
  if (typeof stopReason !== 'string') return;
  held('V047');
  if (hasRun || inserted !== undefined)
    check('V041', !hasRun && 'Work ended with idle, but no state said that it had begun', inserted, frame);
  if (!hasRun || cancel === undefined) return;
  check('V061', stopReason === 'error' && 'Work that was cancelled ended with error', cancel, frame);
  if (stopReason === 'cancelled' && objectsIn(background).length === 0) state.cancelled = frame;
}

function judgeOutput(frame: Frame, state: SessionState, { held, broken }: RuleContext): void {
  const { last, cancelled, questions, wasBlocked } = state;
  if (cancelled !== undefined)
    broken(
      'V061',
      `${quoted(frame.update?.sessionUpdate)} was sent after the cancelled work had ended`,
      cancelled,
      frame,
    );
  if (last?.update?.['state'] !== 'requires_action') {
    if (wasBlocked) held('V042');
    return;
  }
  if (questions.size > 0) return;
  broken('V042', 'The work continued after requires_action without the state running', last, frame);
}
