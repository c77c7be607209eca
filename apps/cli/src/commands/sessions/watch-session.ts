import { type FSWatcher, watch } from 'node:fs';
import { attachAgent } from '@turnwire/client';
import { gatewayExtensions, type SessionEvent } from '@turnwire/client/gateway';
import type { Cursor } from '@turnwire/runtime';
import { untilAborted } from '@turnwire/machine/waits';
import type { TurnwireMeta } from '@turnwire/protocol';
import { clientInfo } from '../../driving/drive.ts';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { contentText, turnEndText } from '@turnwire/client/view';
import { OutputDrain } from '../../output/output-drain.ts';
import { openScreen, type TurnScreen } from '../../output/turn-screen.ts';
import { connectIfHosted, type HostConnecting } from '../../session-host/host-connection.ts';
import { Stopping } from '../../stopping.ts';
import { stdout } from '../../terminal/output.ts';
import { existingSession, type LocatedSession } from '../located-session.ts';

/**
 * Prints the new events of a session from all clients until it is stopped or the session is deleted. Changes nothing. Resolves with the exit
 * code.
 */
export async function watchSession(name: string | undefined, options: GlobalOptions): Promise<number> {
  await using located = await existingSession(options, name);
  using stopping = new Stopping(options.timeout);
  const { signal } = stopping;
  const drain = new OutputDrain(stdout, signal);
  const show = options.format === 'json' ? showLine : showEvent(await openScreen(options, stopping));
  const from = await located.sessions.head(located.record.id);
  warn(`watching the session ${located.record.id}; Ctrl-C ends this, not the session`);
  await follow(located, {
    from,
    signal,
    onEvents: (events) => {
      events.forEach(show);
      return drain.wait();
    },
  });
  if (stopping.reason?.message) warn(stopping.reason.message);
  if (!stopping.reason) warn('the session was deleted');
  return stopping.reason?.exitCode ?? exitCodes.ok;
}

interface Following extends Pick<HostConnecting, 'onEvents'> {
  /** The last known event. */
  readonly from: Cursor;
  readonly signal: AbortSignal;
}

/**
 * Receives events from each session host in turn, and reads from the log those that a host stored without sending. Resolves when the session
 * is deleted or the signal aborts.
 */
async function follow(located: LocatedSession, { from, signal, onEvents }: Following): Promise<void> {
  const { sessions, record } = located;
  // A new host adds its lock to the folder, and deleting the session removes the folder.
  using changes = new FolderChanges(sessions.folderOf(record.id));
  for (let last = from; !signal.aborted;) {
    for await (const events of sessions.events(record.id, last)) {
      await onEvents(events.map(({ payload }) => JSON.parse(payload) as SessionEvent));
      last = events.at(-1) ?? last;
    }
    if (!(await sessions.findById(record.id))) return;
    await using host = await connectIfHosted(located, {
      ...watching,
      after: `${last.epoch}.${last.sequence}`,
      onEvents,
    });
    if (!host) await changes.next(signal);
    else {
      await untilAborted(host.agent.closed, signal);
      last = cursorIn(host.remote.cursor) ?? last;
    }
  }
}

/** A client that only watches: the session host sends it each event of the log, but no requests, and starts no agent for it. */
const watching: Pick<HostConnecting, 'attach' | 'opening'> = {
  opening: { role: 'observe' },
  attach: (transport, session) => {
    const turnwire: TurnwireMeta['initialize'] = { events: true, ownPrompts: true, asks: false, startsLater: true };
    return attachAgent(transport, {
      clientInfo: clientInfo(),
      clientMeta: { turnwire },
      extensions: gatewayExtensions({ '_turnwire/event': (placed) => session.receive([placed]) }),
    });
  },
};

/** Waits for changes in a folder. */
class FolderChanges implements Disposable {
  readonly #watcher: FSWatcher;
  #hasChanged = false;
  #wake = (): void => undefined;

  constructor(path: string) {
    const change = (): void => {
      this.#hasChanged = true;
      this.#wake();
    };
    this.#watcher = watch(path, change).on('error', change);
  }

  /** Resolves when the folder has changed since the last call, or the signal aborts. */
  async next(signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged) await untilAborted(new Promise<void>((resolve) => (this.#wake = resolve)), signal);
    this.#hasChanged = false;
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
  }
}

function cursorIn(text: string | undefined): Cursor | undefined {
  const [epoch, sequence] = (text ?? '').split('.').map(Number);
  return epoch === undefined || sequence === undefined ? undefined : { epoch, sequence };
}

type Show = (event: SessionEvent) => void;

const showLine: Show = (event) => stdout.printJson(JSON.stringify(event));

/** Prints the agent's text to stdout, as `prompt` does, and everything else to stderr. */
function showEvent(screen: TurnScreen): Show {
  return (event) => {
    if (event.type === 'update') return void screen.update(event.update);
    if (event.type === 'terminal') return void screen.terminal(event);
    const isEnd = event.type === 'turn-ended' || event.type === 'turn-failed';
    if (isEnd) screen.end();
    const note = noteOn(event);
    if (note !== undefined) warn(note);
  };
}

function noteOn(event: SessionEvent): string | undefined {
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
