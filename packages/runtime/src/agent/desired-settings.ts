import type { Session } from '@turnwire/client';

/** The settings that users chose for a session. Each start of its agent applies them. */
export class DesiredSettings {
  #modeId: string | undefined;
  #options: Map<string, string | boolean> | undefined;

  mode(id: string): void {
    this.#modeId = id;
  }

  option(id: string, value: string | boolean): void {
    (this.#options ??= new Map()).set(id, value);
  }

  /** Applies the settings that differ. Resolves with a warning for each that the agent refused. */
  async apply({ modes, configOptions }: Session): Promise<readonly string[]> {
    const mode = this.#modeId;
    const warnings: string[] = [];
    const attempt = async (what: string, set: Promise<void> | undefined): Promise<void> => {
      const isSet = set && (await set.then(() => true).catch(() => false));
      if (!isSet) warnings.push(`The restarted agent did not accept ${what}.`);
    };
    if (mode !== undefined && modes?.current !== mode) await attempt(`the mode ${mode}`, modes?.set(mode));
    for (const [id, value] of this.#options ?? []) {
      const isSo = configOptions?.list.some((option) => option.id === id && option.currentValue === value);
      if (isSo !== true) await attempt(`${value} for the option ${id}`, configOptions?.set(id, value));
    }
    return warnings;
  }
}
