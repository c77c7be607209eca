import type { ContentBlock, PlanEntry } from '@turnwire/protocol';
import { expectEcho } from './prompt-echo.ts';
import { appended, remember, replaced, type Thread, withoutGrowing } from './thread.ts';
import type { BoundaryReason } from './thread-event.ts';
import { settled } from './tool-calls.ts';

/** A turn begins with what the person says. What the agent left open before is given up. */
export function withPrompt(
  thread: Thread,
  prompt: { turnId: string; content: readonly ContentBlock[]; at: number },
): Thread {
  const { turnId, content, at } = prompt;
  const before = settled(withoutGrowing(thread), 'abandoned', at);
  const begun = remember(before, { turnStart: before.entries.length, plan: undefined, echo: expectEcho(content) });
  const said = appended({ ...begun, turnId, plan: [] }, { type: 'user', at, content, isOpen: false, isReplay: false });
  return said;
}

/** How a turn ended: the agent's reason, or what went wrong. */
export type TurnEnding = { readonly stopReason: string } | { readonly error: string };

/** A turn that does not run, such as one that was withdrawn, ends without touching the one that does. */
export function withTurnEnd(thread: Thread, end: { turnId: string; at: number; ending: TurnEnding }): Thread {
  const { turnId, at, ending } = end;
  const isRunning = thread.turnId === undefined || thread.turnId === turnId;
  const over = isRunning ? finished(thread, 'stopReason' in ending && ending.stopReason === 'cancelled', at) : thread;
  return appended(over, { type: 'turn-end', at, turnId, ...ending });
}

function finished(thread: Thread, isCancelled: boolean, at: number): Thread {
  const { turnId: _, ...rest } = settled(withoutGrowing(thread), isCancelled ? 'cancelled' : 'abandoned', at);
  return remember(rest, { echo: undefined });
}

/** The person cancelled: what is open is cancelled at once, before the agent says so. */
export function withCancelRequest(thread: Thread, turnId: string, at: number): Thread {
  return thread.turnId === turnId ? settled(thread, 'cancelled', at) : thread;
}

/** After `context-lost` another session goes on under the same view: ids from before mean nothing any more. */
export function withBoundary(
  thread: Thread,
  boundary: { reason: BoundaryReason; message: string; at: number },
): Thread {
  const { reason, message, at } = boundary;
  const before = settled(withoutGrowing(thread), 'abandoned', at);
  const place = before.entries.length;
  const line = appended(before, { type: 'boundary', at, reason, message });
  if (reason !== 'context-lost') return line;
  const { usage: _, ...forgotten } = line;
  return remember({ ...forgotten, knownFrom: place }, { sessionStart: place, plan: undefined });
}

/** All of the plan, in place of the one the turn had. */
export function withPlan(thread: Thread, entries: readonly PlanEntry[], at: number): Thread {
  const told = { ...thread, plan: entries };
  const { plan: place } = thread.memory;
  const known = place === undefined ? undefined : thread.entries.at(place);
  if (place !== undefined && known?.type === 'plan') return replaced(told, place, { ...known, entries });
  if (entries.length === 0) return told;
  return remember(appended(told, { type: 'plan', at, entries }), { plan: thread.entries.length });
}
