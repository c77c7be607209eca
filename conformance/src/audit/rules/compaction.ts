import type { Frame } from '../frame.ts';
import type { Hearing, Rule } from '../rule.ts';

const finals = ['completed', 'failed', 'cancelled'];

interface Compaction {
  readonly begun: Frame;
  status: unknown;
}

export const compactions: Rule = {
  name: 'A compaction begins, tells its summary, ends once, and its id is not used again',
  judges: 'agent',
  requirements: ['R320', 'R322'],
  listen: (hearing) => {
    const known = new Map<string, Compaction>();
    return {
      heard: (frame) => {
        // What is loaded again is told again.
        if (frame.method !== 'session/load' || frame.kind !== 'request') return;
        for (const key of known.keys()) if (key.startsWith(`${frame.sessionId} `)) known.delete(key);
      },
      said: (frame) => {
        const { update } = frame;
        const key = `${frame.sessionId} ${String(update?.['compactionId'])}`;
        if (update?.sessionUpdate === 'compaction_summary_chunk') judgeChunk(frame, known.get(key), hearing);
        if (update?.sessionUpdate !== 'compaction_update') return;
        judgeUpdate(frame, known.get(key), hearing);
        const before = known.get(key);
        known.set(key, { begun: before?.begun ?? frame, status: update['status'] });
      },
    };
  },
};

function judgeChunk(frame: Frame, before: Compaction | undefined, { held, broken }: Hearing): void {
  if (before === undefined) broken('R320', 'A summary is told before its compaction', frame);
  else if (finals.includes(String(before.status)))
    broken('R320', `A summary is told after its compaction is ${String(before.status)}`, before.begun, frame);
  else held('R320');
}

function judgeUpdate(frame: Frame, before: Compaction | undefined, { held, broken }: Hearing): void {
  const { status, summary, error } = frame.update ?? {};
  if (before !== undefined && finals.includes(String(before.status))) {
    if (status === 'in_progress')
      return broken('R322', 'The id of a compaction that is over is used again', before.begun, frame);
    if (status !== before.status)
      return broken(
        'R320',
        `A compaction that is ${String(before.status)} becomes ${String(status)}`,
        before.begun,
        frame,
      );
  }
  if (before !== undefined) held('R320');
  const isOdd =
    (Array.isArray(summary) && summary.length > 0 && status !== 'completed') ||
    (typeof error === 'string' && status !== 'failed');
  if (isOdd)
    broken(
      'R322',
      `A compaction that is ${String(status)} has ${typeof error === 'string' ? 'an error' : 'a summary'}`,
      frame,
    );
  else if (finals.includes(String(status))) held('R322');
}
