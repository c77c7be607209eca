import type { Session } from '../session/session.ts';

/** What a person chose for a session, to be chosen again when its agent was started again. */
export class Wishes {
  #modeId: string | undefined;
  readonly #options = new Map<string, string | boolean>();

  mode(id: string): void {
    this.#modeId = id;
  }

  option(id: string, value: string | boolean): void {
    this.#options.set(id, value);
  }

  /** Sets what differs. Resolves with a sentence for everything that could not be set. */
  async grant({ modes, configOptions }: Session): Promise<readonly string[]> {
    const mode = this.#modeId;
    const remarks: string[] = [];
    const attempt = async (what: string, set: Promise<void> | undefined): Promise<void> => {
      const isSet = set && (await set.then(() => true).catch(() => false));
      if (!isSet) remarks.push(`The agent did not take ${what} back after it was started again.`);
    };
    if (mode !== undefined && modes?.current !== mode) await attempt(`the mode ${mode}`, modes?.set(mode));
    for (const [id, value] of this.#options) {
      const isSo = configOptions?.list.some((option) => option.id === id && option.currentValue === value);
      if (isSo !== true) await attempt(`${value} for the option ${id}`, configOptions?.set(id, value));
    }
    return remarks;
  }
}
