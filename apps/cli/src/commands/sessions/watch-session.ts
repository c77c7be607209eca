import type { TranscriptEvent } from '@turnwire/client/transcript';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { contentText } from '../../output/content-text.ts';
import { OutputDrain } from '../../output/output-drain.ts';
import { openScreen, type TurnScreen } from '../../output/turn-screen.ts';
import { parsedLine } from '../../store/history.ts';
import { followHistory, historySize } from '../../store/follow-history.ts';
import { Stopping } from '../../stopping.ts';
import { stdout } from '../../terminal/output.ts';
import { existingSession } from '../session-place.ts';
import { remarkOn } from '../../output/stop-reasons.ts';

/**
 * Prints what happens in a session from now on, whoever sends the prompts, until it is stopped or the session is deleted. Changes
 * nothing. Resolves with the exit code.
 */
export async function watchSession(name: string | undefined, options: GlobalOptions): Promise<number> {
  const { store, record } = await existingSession(options, name);
  using stopping = new Stopping(options.timeout);
  const { signal } = stopping;
  const path = store.historyOf(record.id);
  const from = await historySize(path);
  const drain = new OutputDrain(stdout, signal);
  const show = options.format === 'json' ? showLine : showEvent(openScreen(options, stopping));
  complain(`watching the session ${record.id}; Ctrl-C ends this, not the session`);
  for await (const line of followHistory(path, { from, signal })) {
    const event = parsedLine(line);
    if (event && !('schema' in event)) show(event as TranscriptEvent, line);
    await drain.wait();
  }
  if (stopping.reason?.message) complain(stopping.reason.message);
  if (!stopping.reason) complain('the session was deleted');
  return stopping.reason?.exitCode ?? exitCodes.ok;
}

type Show = (event: TranscriptEvent, line: string) => void;

const showLine: Show = (_, line) => stdout.printJson(line);

/** The agent's text on stdout, as in `prompt`; the rest on stderr. */
function showEvent(screen: TurnScreen): Show {
  return (event) => {
    if (event.type === 'update') return void screen.update(event.update);
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
      return remarkOn(event.stopReason);
    case 'remark':
      return event.title;
    default:
      return undefined;
  }
}
