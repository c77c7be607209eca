import { TurnwireError, invalidParams } from '@turnwire/protocol';
import type {
  SessionConfigOption,
  SessionConfigSelectOptions,
  SessionMode,
  SessionModeState,
} from '@turnwire/protocol';

/** The inputs of a session's settings. */
export interface SettingsParts {
  readonly modes: readonly SessionMode[];
  /** The options with their initial values. Called whenever they are needed: they may depend on each other. */
  readonly options: () => readonly SessionConfigOption[];
  /** The client supports options of type `boolean`. */
  readonly takesBooleans: boolean;
  /** The stored mode and values. */
  readonly modeId?: string | undefined;
  readonly values?: ReadonlyMap<string, string | boolean> | undefined;
}

/** The id of the option that mirrors the mode. */
const modeOption = 'mode';

/**
 * The mode and the configuration options of one session. Modes are shown as an option of category `mode` too, since clients that support
 * options ignore modes (protocol: Session Config Options, Relationship to Session Modes).
 */
export class SessionSettings {
  readonly #parts: SettingsParts;
  readonly #values: Map<string, string | boolean>;
  #modeId: string | undefined;
  #areMade = false;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
    this.#values = new Map(parts.values);
    const { modes, modeId } = parts;
    this.#modeId = modes.some(({ id }) => id === modeId) ? modeId : modes[0]?.id;
  }

  get modeId(): string | undefined {
    return this.#modeId;
  }

  /** For the answer that sets a session up. Undefined without modes. */
  get modes(): SessionModeState | undefined {
    return this.#modeId === undefined ? undefined : { currentModeId: this.#modeId, availableModes: this.#parts.modes };
  }

  /** The current options that the client supports. Undefined if the list is empty. */
  get configOptions(): readonly SessionConfigOption[] | undefined {
    const shown = this.#all().filter(({ type }) => type !== 'boolean' || this.#parts.takesBooleans);
    return shown.length === 0 ? undefined : shown;
  }

  value(id: string): string | boolean | undefined {
    // An option that depends on another reads its value while the options are being built.
    if (this.#areMade) return this.#values.get(id);
    return this.#all().find((option) => option.id === id)?.currentValue;
  }

  /**
   * Sets the mode and returns the previous one.
   * @throws TurnwireError `invalid-input`
   */
  setMode(modeId: string): string | undefined {
    if (!this.#parts.modes.some(({ id }) => id === modeId)) throw unknownValue('mode', modeId);
    const before = this.#modeId;
    this.#modeId = modeId;
    return before;
  }

  /**
   * Sets an option and returns its previous value.
   * @throws TurnwireError `invalid-input`
   */
  setOption(id: string, value: string | boolean): string | boolean {
    const option = this.#all().find((candidate) => candidate.id === id);
    if (option === undefined) throw unknownValue('option', id);
    if (!takes(option, value)) throw unknownValue(`value of the option ${id}`, String(value));
    if (this.isMode(id)) this.setMode(String(value));
    else this.#values.set(id, value);
    return option.currentValue;
  }

  /** @throws ProtocolError -32602 if the client may not set the option to this value */
  admit(id: string, value: string | boolean): void {
    const option = this.configOptions?.find((candidate) => candidate.id === id);
    if (option === undefined) throw invalidParams(`configId: there is no option ${JSON.stringify(id)}`);
    if (!takes(option, value))
      throw invalidParams(
        option.type === 'boolean'
          ? `value: the option ${JSON.stringify(id)} takes a boolean, with "type": "boolean"`
          : `value: the option ${JSON.stringify(id)} has no value ${JSON.stringify(value)}`,
      );
  }

  /** True if the option with this id stands for the mode. */
  isMode(id: string): boolean {
    return id === modeOption && this.#modeId !== undefined;
  }

  #all(): readonly SessionConfigOption[] {
    let authored: readonly SessionConfigOption[];
    this.#areMade = true;
    try {
      authored = this.#parts.options();
    } finally {
      this.#areMade = false;
    }
    authored = authored.map((option) => {
      const value = this.#values.get(option.id);
      // A stored value may no longer be offered.
      if (value === undefined || !takes(option, value)) return option;
      return { ...option, currentValue: value } as SessionConfigOption;
    });
    const currentValue = this.#modeId;
    if (currentValue === undefined) return authored;
    const options = this.#parts.modes.map(({ id: value, name, description }) => ({
      value,
      name,
      ...(description && { description }),
    }));
    return [
      { id: modeOption, name: 'Mode', category: 'mode', type: 'select', currentValue, options },
      ...authored.filter(({ id, category }) => id !== modeOption && category !== 'mode'),
    ];
  }
}

function takes(option: SessionConfigOption, value: string | boolean): boolean {
  return option.type === 'boolean'
    ? typeof value === 'boolean'
    : typeof value === 'string' && valuesOf(option.options).includes(value);
}

function valuesOf(options: SessionConfigSelectOptions): readonly string[] {
  return options.flatMap((option) => ('group' in option ? option.options.map(({ value }) => value) : [option.value]));
}

function unknownValue(what: string, value: string): TurnwireError {
  return new TurnwireError('invalid-input', `There is no ${what} ${JSON.stringify(value)}`);
}
