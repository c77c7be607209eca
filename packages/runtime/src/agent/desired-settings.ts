import type { Session } from '@turnwire/client';

/** Settings chosen for a session, to be applied whenever its agent was started. */
export class DesiredSettings {
  #modeId: string | undefined;
  #options: Map<string, string | boolean> | undefined;

  mode(id: string): void {
    this.#modeId = id;
  }

  option(id: string, value: string | boolean): void {
    (this.#options ??= new Map()).set(id, value);
  }

  /** Applies the settings that differ. Resolves with a sentence for each that could not be applied. */
  async apply({ modes, configOptions }: Session): Promise<readonly string[]> {
    const mode = this.#modeId;
    const remarks: string[] = [];
    const attempt = async (what: string, set: Promise<void> | undefined): Promise<void> => {
      const isSet = set && (await set.then(() => true).catch(() => false));
      if (!isSet) remarks.push(`The restarted agent did not accept ${what}.`);
    };
    if (mode !== undefined && modes?.current !== mode) await attempt(`the mode ${mode}`, modes?.set(mode));
    for (const [id, value] of this.#options ?? []) {
      const isSo = configOptions?.list.some((option) => option.id === id && option.currentValue === value);
      if (isSo !== true) await attempt(`${value} for the option ${id}`, configOptions?.set(id, value));
    }
    return remarks;
  }
}
