import { stripVTControlCharacters } from 'node:util';
import { redactText } from '@turnwire/protocol';
import type { Finding } from './finding.ts';

/** The minimum length of a secret. Shorter values of variables are words such as `1` or `true`, which occur everywhere. */
const shortestSecret = 6;

/** Removes escape sequences and secrets from findings, which contain text from agents. */
export class FindingCleaner {
  readonly #secrets: readonly string[];

  /** @param values of variables that were passed to the agent */
  constructor(values: readonly string[]) {
    this.#secrets = values.filter((value) => value.length >= shortestSecret);
  }

  clean(finding: Finding): Finding {
    return this.#cleaned(finding) as Finding;
  }

  #cleaned(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((each) => this.#cleaned(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    return Object.fromEntries(entries.map(([key, each]) => [this.#text(key), this.#cleaned(each)]));
  }

  #text(text: string): string {
    return redactText(withoutControl(text), this.#secrets);
  }
}

function withoutControl(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are removed here
  return stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '');
}
