import type { ContentBlock, PlanEntry } from '@turnwire/protocol';
import { expectEcho } from './prompt-echo.ts';
import { appended, remember, replaced, type Transcript, withoutGrowing } from './transcript.ts';
import type { BoundaryReason } from './transcript-event.ts';
import { settled } from './tool-calls.ts';

/** A turn begins with what the user says. What the agent left open before is given up. */
export function withPrompt(
  transcript: Transcript,
  prompt: { turnId: string; content: readonly ContentBlock[]; at: number },
): Transcript {
  const { turnId, content, at } = prompt;
  const before = settled(withoutGrowing(transcript), 'abandoned', at);
  const begun = remember(before, { turnStart: before.entries.length, plan: undefined, echo: expectEcho(content) });
  const said = appended({ ...begun, turnId, plan: [] }, { type: 'user', at, content, isOpen: false, isReplay: false });
  return said;
}

/** How a turn ended: the agent's reason, or what went wrong. */
export type TurnEnding = { readonly stopReason: string } | { readonly error: string };

/** A turn that does not run, such as one that was withdrawn, ends without touching the one that does. */
export function withTurnEnd(
  transcript: Transcript,
  end: { turnId: string; at: number; ending: TurnEnding },
): Transcript {
  const { turnId, at, ending } = end;
  const isRunning = transcript.turnId === undefined || transcript.turnId === turnId;
  const over = isRunning
    ? finished(transcript, 'stopReason' in ending && ending.stopReason === 'cancelled', at)
    : transcript;
  return appended(over, { type: 'turn-end', at, turnId, ...ending });
}

function finished(transcript: Transcript, isCancelled: boolean, at: number): Transcript {
  const { turnId: _, ...rest } = settled(withoutGrowing(transcript), isCancelled ? 'cancelled' : 'abandoned', at);
  return remember(rest, { echo: undefined });
}

/** The user cancelled: what is open is cancelled at once, before the agent says so. */
export function withCancelRequest(transcript: Transcript, turnId: string, at: number): Transcript {
  return transcript.turnId === turnId ? settled(transcript, 'cancelled', at) : transcript;
}

/** After `context-lost` another session continues under the same view: ids from before mean nothing any more. */
export function withBoundary(
  transcript: Transcript,
  boundary: { reason: BoundaryReason; message: string; at: number },
): Transcript {
  const { reason, message, at } = boundary;
  const before = settled(withoutGrowing(transcript), 'abandoned', at);
  const place = before.entries.length;
  const line = appended(before, { type: 'boundary', at, reason, message });
  if (reason !== 'context-lost') return line;
  const { usage: _, ...forgotten } = line;
  return remember({ ...forgotten, knownFrom: place }, { sessionStart: place, plan: undefined });
}

/** All of the plan, in place of the one the turn had. */
export function withPlan(transcript: Transcript, entries: readonly PlanEntry[], at: number): Transcript {
  const told = { ...transcript, plan: entries };
  const { plan: place } = transcript.memory;
  const known = place === undefined ? undefined : transcript.entries.at(place);
  if (place !== undefined && known?.type === 'plan') return replaced(told, place, { ...known, entries });
  if (entries.length === 0) return told;
  return remember(appended(told, { type: 'plan', at, entries }), { plan: transcript.entries.length });
}
