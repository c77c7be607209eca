import type { ToolCallEntry, TranscriptView } from '@turnwire/client/transcript';
import { cleanLine } from '../../terminal/clean-text.ts';
import { modelOf, modeOf } from '../session-choices.ts';

/** The minimum duration of a call that is announced, in milliseconds. Most calls are shorter. */
const longCall = 1_000;

/** Announces changes of facts that a drawn chat shows permanently: mode and model, and long calls. */
export class SpokenFacts {
  #settings: Readonly<Record<string, string | undefined>> | undefined;
  readonly #said = new Set<string>();

  /** The changed ones of mode and model. */
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

  /** The calls that have become long, each once, and the time until the next one may, in milliseconds. */
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
