import type { ToolCallEntry, TranscriptView } from '@turnwire/client/transcript';
import { cleanLine } from '../../terminal/clean-text.ts';
import { modelOf, modeOf } from '../session-choices.ts';

/** How long a call has run when that is said, in milliseconds: most are over before. */
const longCall = 1_000;

/** What a chat that draws shows all the time, said when it changes: mode and model, and calls that take long. */
export class SpokenFacts {
  #settings: Readonly<Record<string, string | undefined>> | undefined;
  readonly #said = new Set<string>();

  /** Of mode and model those that are no longer what they were. */
  settings(transcript: TranscriptView): readonly string[] {
    const before = this.#settings;
    const now = { Mode: modeOf(transcript), Model: modelOf(transcript) };
    if (now.Mode !== undefined || now.Model !== undefined) this.#settings = now;
    return before === undefined
      ? []
      : Object.entries(now).flatMap(([name, value]) =>
          value === undefined || value === before[name] ? [] : [`${name}: ${cleanLine(value)}`],
        );
  }

  /** Calls that have run long, each once; and in how many milliseconds there may be more. */
  longCalls(
    running: readonly ToolCallEntry[],
    now: number,
  ): { readonly lines: readonly string[]; readonly next: number | undefined } {
    const waiting = running.filter(({ key, permission }) => permission?.state !== 'asked' && !this.#said.has(key));
    const ages = waiting.map((call) => now - (call.answeredAt ?? call.at));
    const long = waiting.filter((_, index) => (ages[index] ?? 0) >= longCall);
    for (const { key } of long) this.#said.add(key);
    const left = ages.filter((age) => age < longCall).map((age) => longCall - age);
    return {
      lines: long.map(({ title, command }) => `→ ${cleanLine(title === '' ? (command ?? '') : title)}`),
      next: left.length === 0 ? undefined : Math.min(...left),
    };
  }
}
