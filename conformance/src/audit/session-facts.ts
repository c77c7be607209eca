import { asMessage, objectsIn, type RawMessage } from '../wire/messages.ts';
import type { Frame } from './frame.ts';

export class SessionFacts {
  readonly id: string;
  /** How it was last opened here; undefined if it was not, as far as the journal goes. */
  opened: 'new' | 'load' | 'resume' | 'fork' | undefined;
  /** Prompts without an answer yet. */
  readonly turns: Set<Frame> = new Set();
  /** `session/load` and `session/resume` without an answer yet. */
  readonly openings: Set<Frame> = new Set();
  /** The answer that ended what the agent last did for it: a turn or an opening. */
  lastEnd: Frame | undefined;
  cancelled: Frame | undefined;
  modes: readonly string[] | undefined;
  currentMode: unknown;
  options: readonly RawMessage[] | undefined;
  /** All options with all that could be chosen in them, ever. */
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
    if (update?.sessionUpdate === 'config_option_update') this.#tellOptions(update['configOptions']);
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
    if (result?.['configOptions'] !== undefined) this.#tellOptions(result['configOptions']);
    this.#tellModes(asMessage(result?.['modes']) ?? {});
  }

  #tellModes({ availableModes, currentModeId }: RawMessage): void {
    if (!Array.isArray(availableModes)) return;
    this.currentMode = currentModeId;
    this.modes = objectsIn(availableModes).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  }

  #tellOptions(options: unknown): void {
    if (!Array.isArray(options)) return;
    this.options = objectsIn(options);
    for (const option of this.options) {
      const id = String(option['id']);
      this.choices.set(id, new Set([...(this.choices.get(id) ?? []), ...choicesOf(option)]));
    }
  }
}

/** What can be chosen in an option, through its groups. */
export function choicesOf(option: RawMessage): readonly unknown[] {
  if (option['type'] === 'boolean') return [true, false];
  return objectsIn(option['options']).flatMap((choice) =>
    Array.isArray(choice['options']) ? choicesOf(choice) : 'value' in choice ? [choice['value']] : [],
  );
}
