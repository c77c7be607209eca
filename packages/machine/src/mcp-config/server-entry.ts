import type { VariableSource } from './variables.ts';
import { expanded } from './variables.ts';

/** A problem with an entry, for the user who wrote it. It contains no values of the entry. */
export class EntryProblem extends Error {
  override readonly name = 'EntryProblem';
}

/** A pair as in ACP. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** One server of a configuration. Its fields are read with their variables expanded; problems name the field, never a value. */
export class ServerEntry {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #source: VariableSource;

  constructor(value: unknown, source: VariableSource) {
    if (!isObject(value)) throw new EntryProblem(`expected an object, found ${kindOf(value)}`);
    this.#fields = value;
    this.#source = source;
  }

  has(field: string): boolean {
    return this.#fields[field] !== undefined && this.#fields[field] !== null;
  }

  isTrue(field: string): boolean {
    return this.#fields[field] === true;
  }

  /** A required text. */
  text(field: string): string {
    const value = this.#text(field, this.#fields[field]);
    return value.trim() === '' ? this.fail(field, 'it is empty') : value;
  }

  /** A list of texts, empty if absent. */
  texts(field: string): string[] {
    if (!this.has(field)) return [];
    const value = this.#fields[field];
    if (!Array.isArray(value)) return this.fail(field, `expected a list, found ${kindOf(value)}`);
    return value.map((each, index) => this.#text(`${field}[${index}]`, each));
  }

  /** Names and values: an object, or a list of `{name, value}`; empty if absent. */
  pairs(field: string): NamedValue[] {
    if (!this.has(field)) return [];
    const value = this.#fields[field];
    if (Array.isArray(value)) return value.map((each, index) => this.#pair(`${field}[${index}]`, each));
    if (!isObject(value)) return this.fail(field, `expected an object, found ${kindOf(value)}`);
    return Object.entries(value).map(([name, each]) => ({ name, value: this.#text(`${field}.${name}`, each) }));
  }

  /** Reports a problem with a field. */
  fail(field: string, problem: string): never {
    throw new EntryProblem(`${field}: ${problem}`);
  }

  #pair(field: string, value: unknown): NamedValue {
    if (!isObject(value)) return this.fail(field, `expected an object with name and value, found ${kindOf(value)}`);
    const { name } = value;
    if (typeof name !== 'string' || name === '') return this.fail(`${field}.name`, 'expected a text');
    return { name, value: this.#text(`${field}.value`, value['value']) };
  }

  #text(field: string, value: unknown): string {
    if (value === undefined) return this.fail(field, 'it is missing');
    if (typeof value !== 'string') return this.fail(field, `expected a text in quotes, found ${kindOf(value)}`);
    if (value.includes('\0')) return this.fail(field, 'it contains a NUL character');
    return expanded(value, this.#source, (problem) => this.fail(field, problem));
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of a value, without the value. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
