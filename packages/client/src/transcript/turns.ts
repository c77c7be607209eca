import type { ContentBlock } from '@turnwire/protocol';
import { expectEcho } from './prompt-echo.ts';
import { appended, remember, type Transcript, withoutGrowing } from './transcript.ts';
import type { BoundaryReason } from './transcript-event.ts';
import { settled } from './tool-calls.ts';

/** Starts a turn with the user's prompt. Open calls of the agent are abandoned. */
export function withPrompt(
  transcript: Transcript,
  prompt: { turnId: string; content: readonly ContentBlock[]; at: number; into?: string },
): Transcript {
  const { turnId, content, at, into } = prompt;
  if (into !== undefined) return withSteering(transcript, content, at);
  const before = settled(withoutGrowing(transcript), 'abandoned', at);
  const begun = remember(before, { turnStart: before.entries.length, plans: [], echo: expectEcho(content) });
  const plans = begun.plans.filter(({ planId }) => planId !== undefined);
  const said = appended({ ...begun, turnId, plans }, { type: 'user', at, content, isOpen: false, isReplay: false });
  return said;
}

/** Adds a prompt to the turn that runs. */
function withSteering(transcript: Transcript, content: readonly ContentBlock[], at: number): Transcript {
  const entry = { type: 'user', at, content, isOpen: false, isReplay: false, isWithinTurn: true } as const;
  const said = appended(transcript, entry);
  return remember(said, { echo: expectEcho(content) });
}

/** How a turn ended: the agent's stop reason, or an error. */
export type TurnEnding = { readonly stopReason: string } | { readonly error: string };

/** Ends a turn. The end of another turn, such as a withdrawn prompt, does not affect the running one. */
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

/** Cancels open calls at once, before the agent reports it. */
export function withCancelRequest(transcript: Transcript, turnId: string, at: number): Transcript {
  return transcript.turnId === turnId ? settled(transcript, 'cancelled', at) : transcript;
}

/** After `context-lost` another session continues in the same view: earlier ids are ignored. */
export function withBoundary(
  transcript: Transcript,
  boundary: { reason: BoundaryReason; message: string; at: number },
): Transcript {
  const { reason, message, at } = boundary;
  const before = settled(withoutGrowing(transcript), 'abandoned', at);
  const index = before.entries.length;
  const line = appended(before, { type: 'boundary', at, reason, message });
  if (reason !== 'context-lost') return line;
  const { usage: _, ...forgotten } = line;
  return remember(
    { ...forgotten, background: [], openChildren: [], knownFrom: index },
    { sessionStart: index, plans: [] },
  );
}
