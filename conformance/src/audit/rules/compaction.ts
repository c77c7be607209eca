import type { Frame } from '../frame.ts';
import { listener, type Rule, type RuleContext } from '../rule.ts';

const finals = ['completed', 'failed', 'cancelled'];

interface Compaction {
  readonly begun: Frame;
  status: string;
}

/** A compaction begins before its summary, ends once, and its id is not reused. */
export const compactions: Rule = listener('agent', ['R320', 'R322'], (context) => {
  const known = new Map<string, Compaction>();
  return {
    received: (frame) => {
      // `session/load` replays compactions.
      if (frame.method !== 'session/load' || frame.kind !== 'request') return;
      for (const key of known.keys()) if (key.startsWith(`${frame.sessionId} `)) known.delete(key);
    },
    sent: (frame) => {
      const { update } = frame;
      const key = `${frame.sessionId} ${String(update?.['compactionId'])}`;
      if (update?.sessionUpdate === 'compaction_summary_chunk') judgeChunk(frame, known.get(key), context);
      if (update?.sessionUpdate !== 'compaction_update') return;
      judgeUpdate(frame, known.get(key), context);
      const before = known.get(key);
      known.set(key, { begun: before?.begun ?? frame, status: String(update['status']) });
    },
  };
});

function judgeChunk(frame: Frame, before: Compaction | undefined, { held, broken }: RuleContext): void {
  if (before === undefined) broken('R320', 'A compaction summary was sent before its compaction began', frame);
  else if (finals.includes(before.status))
    broken('R320', `A compaction summary was sent after its compaction was ${before.status}`, before.begun, frame);
  else held('R320');
}

function judgeUpdate(frame: Frame, before: Compaction | undefined, context: RuleContext): void {
  const status = frame.update?.['status'];
  if (before !== undefined && finals.includes(before.status) && status !== before.status)
    return status === 'in_progress'
      ? context.broken('R322', 'The id of a finished compaction was used again', before.begun, frame)
      : context.broken('R320', `A compaction that was ${before.status} became ${String(status)}`, before.begun, frame);
  if (before !== undefined) context.held('R320');
  judgeOutcome(frame, context);
}

function judgeOutcome(frame: Frame, { held, broken }: RuleContext): void {
  const { status, summary, error } = frame.update ?? {};
  const now = String(status);
  if (Array.isArray(summary) && summary.length > 0 && now !== 'completed')
    broken('R322', `A compaction with the status ${now} has a summary`, frame);
  else if (typeof error === 'string' && now !== 'failed')
    broken('R322', `A compaction with the status ${now} has an error`, frame);
  else if (finals.includes(now)) held('R322');
}
