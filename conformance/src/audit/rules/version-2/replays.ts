import { asMessage, quoted } from '../../../wire/messages.ts';
import type { Frame } from '../../frame.ts';
import { listener, type Rule, type RuleContext } from '../../rule.ts';

/** Updates that are part of the conversation. */
const history = /^(?:user_message|agent_message|agent_thought|tool_call|plan_|terminal_|compaction_|session_message)/;

/** A `session/resume` that is not answered yet. */
interface Resume {
  readonly request: Frame;
  readonly isReplay: boolean;
  readonly begun: Set<string>;
  completed: Frame | undefined;
  state: Frame | undefined;
}

/** The replays of a connection that are under way. */
export class Replays {
  readonly open: Map<string, Resume> = new Map();

  /** Takes the next frame of either side. Returns whether it is part of a replay, and not live. */
  take(frame: Frame): boolean {
    const id = frame.sessionId ?? '';
    if (frame.method !== 'session/resume') {
      const resume = this.open.get(id);
      return resume?.isReplay === true && resume.completed === undefined;
    }
    if (frame.kind === 'answer') this.open.delete(id);
    if (frame.kind === 'request') {
      const isReplay = asMessage(frame.params['replayFrom']) !== undefined;
      this.open.set(id, { request: frame, isReplay, begun: new Set(), completed: undefined, state: undefined });
    }
    return false;
  }
}

/** A replay is complete and marked before the current state, which comes before the answer. Without one there is no history. */
export const replayOrder: Rule = listener('agent', ['V071', 'V073', 'V074', 'V075', 'V100'], (context) => {
  const replays = new Replays();
  return {
    received: (frame) => void replays.take(frame),
    sent: (frame) => {
      const resume = replays.open.get(frame.sessionId ?? '');
      if (frame.kind === 'answer' && frame.method === 'session/resume' && frame.isSuccess && resume !== undefined)
        judgeEnd(frame, resume, context);
      replays.take(frame);
      const kind = String(frame.update?.sessionUpdate);
      if (kind === 'replay_complete') judgeMark(frame, resume, context);
      else if (resume !== undefined && kind === 'state_update') resume.state = frame;
      else if (resume !== undefined && history.test(kind)) judgeHistory(frame, resume, context);
    },
  };
});

function judgeEnd(answer: Frame, { request, isReplay, completed, state, begun }: Resume, context: RuleContext): void {
  const { held, check } = context;
  check('V074', state === undefined && 'session/resume was answered without a state_update before it', request, answer);
  if (!isReplay) return held('V071');
  check('V073', completed === undefined && 'The replay was not completed with replay_complete', request, answer);
  if (completed !== undefined && state !== undefined) held('V075');
  if (begun.size > 0) held('V100');
}

function judgeMark(frame: Frame, resume: Resume | undefined, { broken }: RuleContext): void {
  if (resume === undefined) return broken('V073', 'replay_complete was sent outside of session/resume', frame);
  const { request, isReplay, completed, state } = resume;
  if (!isReplay) broken('V073', 'replay_complete was sent although no replay was requested', request, frame);
  if (completed !== undefined) broken('V073', 'replay_complete was sent twice', completed, frame);
  if (state !== undefined) broken('V075', 'The state was sent before replay_complete', state, frame);
  resume.completed = frame;
}

function judgeHistory(frame: Frame, resume: Resume, { broken }: RuleContext): void {
  const { request, isReplay, completed, begun } = resume;
  const { sessionUpdate, messageId } = frame.update ?? {};
  const kind = String(sessionUpdate);
  if (!isReplay) return broken('V071', `${kind} was sent although no replay was requested`, request, frame);
  // Live updates are held back until the replay is complete.
  if (completed !== undefined && resume.state === undefined)
    broken('V075', `${kind} was sent between replay_complete and the state`, completed, frame);
  if (messageId === undefined || completed !== undefined) return;
  const key = quoted([kind.replace(/_chunk$/, ''), messageId]);
  if (kind.endsWith('_chunk') && !begun.has(key))
    broken('V100', `A replayed message begins with ${kind}, not with a whole update`, request, frame);
  begun.add(key);
}
