import type { SessionEvent, SessionState } from '@turnwire/runtime';
import type { SessionUpdate } from '@turnwire/protocol';
import { complainOf, showEvent } from '../gateway/session-client.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import type { HostConnection } from './host-connection.ts';

/** Shows the turn of this command, of all that happens in a session: other commands may have turns before and behind it. */
export class OwnTurn {
  readonly #screen: Pick<TurnScreen, 'update' | 'frame' | 'terminal' | 'permissionAsked'>;
  /** As the events name the connection of this command. */
  #connection: unknown;
  #hasBegun = false;
  /** Whose turn runs, as far as is known. */
  #running: 'own' | 'other' | undefined;

  constructor(screen: Pick<TurnScreen, 'update' | 'frame' | 'terminal' | 'permissionAsked'>) {
    this.#screen = screen;
  }

  /** The prompt is sent next. */
  begin({ agent, session }: Pick<HostConnection, 'agent' | 'session'>): void {
    const { connection } = turnwireOf<{ readonly connection: string }>(agent.capabilities._meta);
    const { state } = turnwireOf<{ readonly state: SessionState }>(session.setup._meta);
    this.#connection = connection;
    const isWorking = state?.name === 'working' || state?.name === 'cancelling';
    this.#running ??= isWorking ? 'other' : undefined;
    this.#hasBegun = true;
  }

  readonly event = (event: SessionEvent): void => {
    if (event.type === 'prompt') this.#prompted(event);
    else if (event.type === 'turn-ended' || event.type === 'turn-failed') this.#end(event);
    else if (this.#running === 'own') showEvent(event, this.#screen);
    else if (this.#running === undefined) complainOf(event);
  };

  readonly update = (update: SessionUpdate): Promise<void> | undefined =>
    this.#running === 'own' ? this.#screen.update(update) : undefined;

  /** Frames are shown from the prompt on: what is about other turns, and what is no method of the protocol, is left out. */
  readonly frame = (frame: string): Promise<void> | undefined => {
    if (!this.#hasBegun || frame.includes('"method":"_turnwire/')) return undefined;
    const isUpdate = frame.includes('"method":"session/update"');
    return isUpdate && this.#running !== 'own' ? undefined : this.#screen.frame(frame);
  };

  #prompted({ into, by }: SessionEvent & { readonly type: 'prompt' }): void {
    if (into === undefined) this.#running = by?.connection === this.#connection ? 'own' : 'other';
  }

  /** A failure that no command waited for is of interest to this one. */
  #end(event: SessionEvent & { readonly type: 'turn-ended' | 'turn-failed' }): void {
    if (this.#running === undefined && event.type === 'turn-failed')
      complainOf({ ...event, type: 'remark', severity: 'error', title: `a queued prompt failed: ${event.message}` });
    this.#running = undefined;
  }
}

function turnwireOf<Meta>(meta: Readonly<Record<string, unknown>> | null | undefined): Partial<Meta> {
  return meta?.['turnwire'] ?? {};
}
