import type { Turn } from '../../../session/turn.ts';
import type { Session } from '../../../session/session.ts';
import type { Examined } from '../examine-options.ts';
import { counted, type Finding, since } from '../finding.ts';
import { reasonOf, rethrowIfEnded, wantsLogin } from '../reason.ts';
import type { Subject } from '../subject.ts';

interface Course {
  /** Absent until the turn has ended. */
  stopReason?: string;
  updates: number;
  /** Milliseconds from the prompt to the first update. */
  firstUpdate?: number;
}

/** Sends the prompt, if there is one. */
export async function* takeTurn(
  session: Session,
  subject: Subject,
  { prompt, signal }: Examined,
): AsyncGenerator<Finding, undefined> {
  if (prompt === undefined) return;
  subject.watch.layer = 'turn';
  const began = performance.now();
  const turn = session.prompt(prompt);
  const limit = bounded(turn, subject.timeouts.turn, signal);
  const course: Course = { updates: 0 };
  try {
    await follow(turn, course, began);
    rethrowIfEnded(undefined, signal);
    yield limit.isOver() ? tooSlow(subject, course) : took(subject, course, since(began));
  } catch (error) {
    rethrowIfEnded(error, signal);
    yield limit.isOver() ? tooSlow(subject, course) : failed(error, since(began));
  } finally {
    limit.release();
  }
}

async function follow(turn: Turn, course: Course, began: number): Promise<void> {
  for await (const _ of turn) {
    course.updates++;
    course.firstUpdate ??= since(began);
  }
  course.stopReason = (await turn).stopReason;
}

/** Cancels the turn when its time is up, or when the examination is aborted. */
function bounded(
  turn: Turn,
  limit: number,
  signal: AbortSignal | undefined,
): { readonly isOver: () => boolean; readonly release: () => void } {
  let isOver = false;
  const cancel = (): void => void turn.cancel().catch(() => undefined);
  const timer = setTimeout(() => {
    isOver = true;
    cancel();
  }, limit);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  return {
    isOver: () => isOver,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    },
  };
}

function took({ denied }: Subject, { stopReason, updates, firstUpdate }: Course, milliseconds: number): Finding {
  const first = firstUpdate === undefined ? '' : `, the first after ${firstUpdate} ms`;
  const asked = denied === 0 ? '' : ` It asked for permission ${counted(denied, 'time')}, which was denied.`;
  return {
    layer: 'turn',
    verdict: updates === 0 ? 'warning' : 'ok',
    message: `It ended the turn (${stopReason}) after ${counted(updates, 'update')}${first}.${asked}`,
    ...(updates === 0 && { advice: 'It sent nothing at all: check its model and its key with its own program.' }),
    milliseconds,
    details: { stopReason, updates, denied, ...(firstUpdate !== undefined && { firstUpdate }) },
  };
}

function tooSlow({ timeouts }: Subject, { updates, stopReason }: Course): Finding {
  const seen = updates > 0 ? `${counted(updates, 'update')} arrived` : 'nothing arrived';
  const after = stopReason !== undefined ? 'It obeyed the cancel.' : 'It ignored the cancel, too.';
  return {
    layer: 'turn',
    verdict: 'failed',
    message: `It did not end the turn within ${timeouts.turn / 1000} s; ${seen}. ${after}`,
    advice: 'Check with its own program that it can reach its model, or give it more time.',
  };
}

function failed(error: unknown, milliseconds: number): Finding {
  return {
    layer: 'turn',
    verdict: 'failed',
    message: `It failed: ${reasonOf(error)}.`,
    advice: wantsLogin(error)
      ? 'Log in with its own program first.'
      : 'Follow its message; the usual cause is its model or its key.',
    milliseconds,
  };
}
