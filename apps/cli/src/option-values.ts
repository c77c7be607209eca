import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { formats } from './config/config-words.ts';

/** setTimeout counts in 32 bits; a longer time would fire at once. */
const longestWait = Math.floor((2 ** 31 - 1) / 1000);

/** An existing folder that can be entered, as an absolute path. */
export function existingFolder(given: string): string {
  const path = resolve(given);
  const found = orRefuse(path, () => statSync(path, { throwIfNoEntry: false }));
  if (!found) throw new InvalidArgumentError(`There is no folder ${path}.`);
  if (!found.isDirectory()) throw new InvalidArgumentError(`${path} is not a folder.`);
  orRefuse(path, () => accessSync(path, constants.X_OK));
  return path;
}

function orRefuse<Found>(path: string, look: () => Found): Found {
  try {
    return look();
  } catch (error) {
    throw new InvalidArgumentError(`${path} cannot be used (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** A path, relative to the current folder. */
export function absolutePath(given: string): string {
  return resolve(given);
}

/** A time greater than zero. */
export function secondsAboveZero(given: string): number {
  const seconds = numberIn(given);
  if (!(seconds > 0 && seconds <= longestWait))
    throw new InvalidArgumentError(`Give a number of seconds greater than 0, such as 90 or 0.5.`);
  return seconds;
}

/** A time, or 0 for no limit. */
export function zeroOrMore(given: string): number {
  const seconds = numberIn(given);
  if (!(seconds >= 0 && seconds <= longestWait))
    throw new InvalidArgumentError('Give a number of seconds, such as 300, or 0 for no limit.');
  return seconds;
}

/** A day, or a point in time. */
export function dateIn(given: string): Date {
  const date = new Date(given);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('Give a date, such as 2026-04-01.');
  return date;
}

/** 0, 1, 2, … */
export function wholeNumber(given: string): number {
  const number = numberIn(given);
  if (!(Number.isSafeInteger(number) && number >= 0)) throw new InvalidArgumentError('Give a whole number, such as 3.');
  return number;
}

/** An amount of money. */
export function amount(given: string): number {
  const number = numberIn(given);
  if (!(number >= 0 && number < Infinity)) throw new InvalidArgumentError('Give an amount, such as 0.50.');
  return number;
}

/** The address of a server: its origin, without a path. */
export function httpOrigin(given: string): string {
  const { protocol = '', origin = '' } = URL.canParse(given) ? new URL(given) : {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new InvalidArgumentError('Give an address such as https://10.0.0.7:8137.');
  return origin;
}

/** Words separated by commas; none for an empty text. */
export function list(given: string): readonly string[] {
  return given
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Appends a name, or a name and a value, to those given before. */
export function oneMore(given: string, before: readonly string[]): readonly string[] {
  if (!/^[^=]+/.test(given))
    throw new InvalidArgumentError('Give a name, such as API_KEY, or a name and a value, such as LEVEL=debug.');
  return [...before, given];
}

/** How to print, or the format of a document for the commands that write one: others refuse it. */
export function outputFormat(given: string): (typeof formats)[number] | 'md' | 'html' {
  const format = ([...formats, 'md', 'html'] as const).find((each) => each === given);
  if (format) return format;
  throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.`);
}

/** What is left out of the text of a turn, separated by commas. */
export function suppressed(given: string): readonly ('output' | 'diffs')[] {
  return list(given).map((word) => {
    if (word === 'output' || word === 'diffs') return word;
    throw new InvalidArgumentError('Allowed choices are output, diffs.');
  });
}

function numberIn(given: string): number {
  return given.trim() === '' ? Number.NaN : Number(given);
}
