import { asMessage, objectsIn, type RawMessage } from '../wire/messages.ts';
import type { Frame } from './frame.ts';

export class SessionFacts {
  readonly id: string;
  /** How the session was last opened on this connection; undefined if it was not, as far as the journal shows. */
  opened: 'new' | 'load' | 'resume' | 'fork' | undefined;
  /** Prompts without an answer so far. */
  readonly turns: Set<Frame> = new Set();
  /** `session/load` and `session/resume` requests without an answer so far. */
  readonly openings: Set<Frame> = new Set();
  /** The answer that ended the last turn or opening of the session. */
  lastEnd: Frame | undefined;
  cancelled: Frame | undefined;
  modes: readonly string[] | undefined;
  currentMode: unknown;
  options: readonly RawMessage[] | undefined;
  /** Every option with all choices that it has had. */
  readonly choices: Map<string, Set<unknown>> = new Map();

  constructor(id: string) {
    this.id = id;
  }

  get isBusy(): boolean {
    return this.turns.size > 0 || this.openings.size > 0;
  }

  take(frame: Frame): void {
    if (frame.kind === 'request') this.#ask(frame);
    if (frame.kind === 'answer') this.#answer(frame);
    if (frame.method === 'session/cancel' && this.turns.size > 0) this.cancelled = frame;
    const update = frame.update;
    if (update?.sessionUpdate === 'current_mode_update') this.currentMode = update['currentModeId'];
    if (update?.sessionUpdate === 'config_option_update') this.#recordOptions(update['configOptions']);
  }

  #ask(frame: Frame): void {
    if (frame.method === 'session/load' || frame.method === 'session/resume') this.openings.add(frame);
    if (frame.method !== 'session/prompt') return;
    if (this.turns.size === 0) this.cancelled = undefined;
    this.turns.add(frame);
  }

  #answer(frame: Frame): void {
    const { request, result } = frame;
    if (request === undefined) return;
    if (this.turns.delete(request) || this.openings.delete(request)) this.lastEnd = frame;
    if (!frame.isSuccess) return;
    const [, opening] = /^session\/(new|load|resume|fork)$/.exec(frame.method) ?? [];
    if (opening !== undefined) this.opened = opening as NonNullable<SessionFacts['opened']>;
    if (frame.method === 'session/set_mode') this.currentMode = request.params['modeId'];
    if (result?.['configOptions'] !== undefined) this.#recordOptions(result['configOptions']);
    this.#recordModes(asMessage(result?.['modes']) ?? {});
  }

  #recordModes({ availableModes, currentModeId }: RawMessage): void {
    if (!Array.isArray(availableModes)) return;
    this.currentMode = currentModeId;
    this.modes = objectsIn(availableModes).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  }

  #recordOptions(options: unknown): void {
    if (!Array.isArray(options)) return;
    this.options = objectsIn(options);
    for (const option of this.options) {
      const id = String(idOf(option));
      this.choices.set(id, new Set([...(this.choices.get(id) ?? []), ...choicesOf(option)]));
    }
  }
}

/** The id of an option, which each version of the protocol names differently. */
export function idOf(option: RawMessage): unknown {
  return option['configId'] ?? option['id'];
}

/** All choices of an option, including those in groups. */
export function choicesOf(option: RawMessage): readonly unknown[] {
  if (option['type'] === 'boolean') return [true, false];
  return objectsIn(option['options']).flatMap((choice) =>
    Array.isArray(choice['options']) ? choicesOf(choice) : 'value' in choice ? [choice['value']] : [],
  );
}
