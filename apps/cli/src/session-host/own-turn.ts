import type { SessionEvent } from '@turnwire/client/gateway';
import { frameAbout, turnwireMeta } from '@turnwire/protocol';
import { warnOf, showEvent } from '../sessions/session-client.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import type { HostConnection } from './host-connection.ts';

/** Shows the turn of this command in a session, to which other commands may send prompts too. */
export class OwnTurn {
  readonly #screen: Pick<TurnScreen, 'update' | 'frame' | 'terminal' | 'permissionAsked'>;
  /** The id of this command's connection in events. */
  #connection: string | undefined;
  #hasBegun = false;
  /** Whether the running turn is that of this command; undefined without a turn. */
  #running: 'own' | 'other' | undefined;

  constructor(screen: Pick<TurnScreen, 'update' | 'frame' | 'terminal' | 'permissionAsked'>) {
    this.#screen = screen;
  }

  /** Call it before the prompt is sent. */
  begin({ agent, session }: Pick<HostConnection, 'agent' | 'session'>): void {
    this.#connection = turnwireMeta<'initialize answer'>(agent.capabilities._meta).connection;
    const { state } = turnwireMeta<'session/resume answer'>(session.setup._meta);
    const isWorking = state?.name === 'working' || state?.name === 'cancelling';
    this.#running ??= isWorking ? 'other' : undefined;
    this.#hasBegun = true;
  }

  /** Shows events of the session. Returns a promise if the reader of the output is slow. */
  readonly events = (events: readonly SessionEvent[]): Promise<void> | undefined => {
    let caughtUp: Promise<void> | undefined;
    for (const event of events) caughtUp = this.#show(event) ?? caughtUp;
    return caughtUp;
  };

  /** Shows a frame from the prompt on, unless it belongs to another turn or to a method of the gateway. */
  readonly frame = (frame: string): Promise<void> | undefined => {
    if (!this.#hasBegun) return undefined;
    const { method } = frameAbout(JSON.parse(frame));
    if (method?.startsWith('_turnwire/')) return undefined;
    return method === 'session/update' && this.#running !== 'own' ? undefined : this.#screen.frame(frame);
  };

  #show(event: SessionEvent): Promise<void> | undefined {
    if (event.type === 'prompt') this.#prompted(event);
    else if (event.type === 'turn-ended' || event.type === 'turn-failed') this.#end(event);
    else if (this.#running === 'own' && event.type === 'update') return this.#screen.update(event.update);
    else if (this.#running === 'own') showEvent(event, this.#screen);
    else if (this.#running === undefined) warnOf(event);
    return undefined;
  }

  #prompted({ into, by }: SessionEvent & { readonly type: 'prompt' }): void {
    if (into === undefined) this.#running = by?.connection === this.#connection ? 'own' : 'other';
  }

  /** Reports a failure of a queued prompt that no command waited for. */
  #end(event: SessionEvent & { readonly type: 'turn-ended' | 'turn-failed' }): void {
    if (this.#running === undefined && event.type === 'turn-failed')
      warnOf({ ...event, type: 'remark', severity: 'error', title: `a queued prompt failed: ${event.message}` });
    this.#running = undefined;
  }
}
