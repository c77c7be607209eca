import type { Cursor, StoredEvent } from '@turnwire/gateway';
import { pause } from '@turnwire/machine/waits';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { contentText, turnEndText } from '@turnwire/client/view';
import { OutputDrain } from '../../output/output-drain.ts';
import { openScreen, type TurnScreen } from '../../output/turn-screen.ts';
import { Stopping } from '../../stopping.ts';
import { stdout } from '../../terminal/output.ts';
import { existingSession, type SessionPlace } from '../session-place.ts';

/** How often to look for new events, in milliseconds. */
const pauseBetween = 100;

/**
 * Prints what happens in a session from now on, whoever sends the prompts, until it is stopped or the session is deleted. Changes
 * nothing. Resolves with the exit code.
 */
export async function watchSession(name: string | undefined, options: GlobalOptions): Promise<number> {
  await using place = await existingSession(options, name);
  const { sessions, record } = place;
  using stopping = new Stopping(options.timeout);
  const { signal } = stopping;
  const from = await sessions.head(record.id);
  const drain = new OutputDrain(stdout, signal);
  const show = options.format === 'json' ? showLine : showEvent(await openScreen(options, stopping));
  complain(`watching the session ${record.id}; Ctrl-C ends this, not the session`);
  for await (const { payload } of eventsFrom(place, { from, signal })) {
    show(payload);
    await drain.wait();
  }
  if (stopping.reason?.message) complain(stopping.reason.message);
  if (!stopping.reason) complain('the session was deleted');
  return stopping.reason?.exitCode ?? exitCodes.ok;
}

/**
 * The events behind one, as they are stored: the log is looked at, and not the session host asked, since that may end and another one go on.
 * Ends when the session is deleted.
 */
async function* eventsFrom(
  { sessions, record }: SessionPlace,
  { from, signal }: { readonly from: Cursor; readonly signal: AbortSignal },
): AsyncGenerator<StoredEvent, void> {
  for (let last = from; !signal.aborted;) {
    for await (const events of sessions.events(record.id, last)) {
      yield* events;
      last = events.at(-1) ?? last;
    }
    if (!(await sessions.look(record.id))) return;
    await pause(pauseBetween, signal).catch(() => undefined);
  }
}

type Show = (payload: string) => void;

const showLine: Show = (payload) => stdout.printJson(payload);

/** The agent's text on stdout, as in `prompt`; the rest on stderr. */
function showEvent(screen: TurnScreen): Show {
  return (payload) => {
    const event = JSON.parse(payload) as TranscriptEvent;
    if (event.type === 'update') return void screen.update(event.update);
    if (event.type === 'terminal') return void screen.terminal(event);
    const isEnd = event.type === 'turn-ended' || event.type === 'turn-failed';
    if (isEnd) screen.end();
    const note = noteOn(event);
    if (note !== undefined) complain(note);
  };
}

function noteOn(event: TranscriptEvent): string | undefined {
  switch (event.type) {
    case 'prompt':
      return `prompt: ${event.content.map(contentText).join('\n')}`;
    case 'turn-failed':
    case 'boundary':
      return event.message;
    case 'turn-ended':
      return turnEndText(event.stopReason);
    case 'remark':
      return event.title;
    default:
      return undefined;
  }
}
