import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { formats, places } from './config/config-values.ts';

/** In seconds. setTimeout counts milliseconds in 32 bits; a longer timeout would fire at once. */
const longestWait = Math.floor((2 ** 31 - 1) / 1000);

/** An existing folder that can be entered, as an absolute path. */
export function existingFolder(value: string): string {
  const path = resolve(value);
  const found = orRefuse(path, () => statSync(path, { throwIfNoEntry: false }));
  if (!found) throw new InvalidArgumentError(`There is no folder ${path}.`);
  if (!found.isDirectory()) throw new InvalidArgumentError(`${path} is not a folder.`);
  orRefuse(path, () => accessSync(path, constants.X_OK));
  return path;
}

function orRefuse<Found>(path: string, inspect: () => Found): Found {
  try {
    return inspect();
  } catch (error) {
    throw new InvalidArgumentError(`${path} cannot be used (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** A path, relative to the current folder. */
export function absolutePath(value: string): string {
  return resolve(value);
}

/** A time greater than zero. */
export function secondsAboveZero(value: string): number {
  const seconds = numberIn(value);
  if (!(seconds > 0 && seconds <= longestWait))
    throw new InvalidArgumentError(`Give a number of seconds greater than 0, such as 90 or 0.5.`);
  return seconds;
}

/** A time, or 0 for no limit. */
export function zeroOrMore(value: string): number {
  const seconds = numberIn(value);
  if (!(seconds >= 0 && seconds <= longestWait))
    throw new InvalidArgumentError('Give a number of seconds, such as 300, or 0 for no limit.');
  return seconds;
}

/** A day, or a point in time. */
export function dateIn(value: string): Date {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('Give a date, such as 2026-04-01.');
  return date;
}

/** A date, such as `2026-04-01`; or a number of days until now: 1 for `today`, 7 for `7d`. */
export function firstDayIn(value: string): string | number {
  const [, days] = /^(\d{1,5})d$/.exec(value) ?? [];
  if (value === 'today' || Number(days) > 0) return Number(days ?? 1);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).toJSON()?.startsWith(value);
  if (!isDay) throw new InvalidArgumentError('Give a day, such as 2026-04-01, today, or 7d for the last 7 days.');
  return value;
}

/** 0, 1, 2, … */
export function wholeNumber(value: string): number {
  const number = numberIn(value);
  if (!(Number.isSafeInteger(number) && number >= 0)) throw new InvalidArgumentError('Give a whole number, such as 3.');
  return number;
}

/** Where a new session works, and the name of the place to make. */
export interface WantedPlace {
  readonly kind: (typeof places)[number];
  readonly name?: string;
  /** Whether the command line asks for it. A configured place is for new sessions only. */
  readonly isAsked?: true;
}

/** A kind of place, with a name behind a colon. */
export function placeIn(value: string): WantedPlace {
  const [, word, name] = /^([^:]*)(?::(.+))?$/.exec(value) ?? [];
  const kind = places.find((each) => each === word);
  if (!kind)
    throw new InvalidArgumentError(`Allowed choices are ${places.join(', ')}, with a name behind a colon if you like.`);
  if (kind === 'here' && name !== undefined)
    throw new InvalidArgumentError('Only a worktree, clone or copy has a name.');
  return { kind, isAsked: true, ...(name !== undefined && { name }) };
}

/** A version of the protocol. */
export function protocolIn(value: string): 1 | 2 {
  if (value === '1' || value === '2') return Number(value) as 1 | 2;
  throw new InvalidArgumentError('Allowed choices are 1, 2.');
}

/** An amount of money. */
export function amount(value: string): number {
  const number = numberIn(value);
  if (!(number >= 0 && number < Infinity)) throw new InvalidArgumentError('Give an amount, such as 0.50.');
  return number;
}

/** The address of a server: its origin, without a path. */
export function httpOrigin(value: string): string {
  const { protocol = '', origin = '' } = URL.canParse(value) ? new URL(value) : {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new InvalidArgumentError('Give an address such as https://10.0.0.7:8137.');
  return origin;
}

/** Words separated by commas; none for an empty text. */
export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Appends a name, or a name and a value, to the previous ones. */
export function oneMore(value: string, previous: readonly string[]): readonly string[] {
  if (!/^[^=]+/.test(value))
    throw new InvalidArgumentError('Give a name, such as API_KEY, or a name and a value, such as LEVEL=debug.');
  return [...previous, value];
}

/** An output format, or a document format. Commands that write no documents refuse the latter. */
export function outputFormat(value: string): (typeof formats)[number] | 'md' | 'html' {
  const format = ([...formats, 'md', 'html'] as const).find((each) => each === value);
  if (format) return format;
  throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.`);
}

/** The parts to leave out of the text of a turn, separated by commas. */
export function suppressed(value: string): readonly ('output' | 'diffs')[] {
  return list(value).map((word) => {
    if (word === 'output' || word === 'diffs') return word;
    throw new InvalidArgumentError('Allowed choices are output, diffs.');
  });
}

function numberIn(value: string): number {
  return value.trim() === '' ? Number.NaN : Number(value);
}
