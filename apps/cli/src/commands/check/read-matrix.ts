import { commandWords } from '@turnwire/client/node';
import type { CheckedVersion, Steering } from '@turnwire/conformance';
import { type PlacedValue, readJsonFile } from './read-json-file.ts';
import { steeringIn } from './read-prompts.ts';

/** An agent or a client of a matrix. */
export interface MatrixSubject {
  readonly name: string;
  /** The command; empty for a client whose driver has the command. */
  readonly words: readonly string[];
  readonly client?: true;
  /** The driver of the client, as for `--driver`. */
  readonly driver?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables of our environment to pass to the subject. */
  readonly inheritEnv: readonly string[];
  readonly authMethod?: string;
  /** The exact versions of the checked packages, for the table. */
  readonly packages?: readonly string[];
  /** The versions of the protocol to check it in. Default: that of --protocol. */
  readonly versions?: readonly CheckedVersion[];
  readonly prompts?: Steering;
}

/** The agents and clients of a file: a list of objects. Throws CommandError, exit code 2, that names the position of the error. */
export async function readMatrix(path: string): Promise<readonly MatrixSubject[]> {
  const root = await readJsonFile(path);
  const items = root.items('a matrix');
  if (items.length === 0) root.refuse('the list is empty');
  const subjects = items.map(subjectIn);
  const names = new Set<string>();
  for (const [index, { name }] of subjects.entries()) {
    if (names.has(name)) items[index]?.refuse(`two entries have the name "${name}"`);
    names.add(name);
  }
  return subjects;
}

const readers = {
  name: (value: PlacedValue) => textIn(value, '"name"'),
  command: (value: PlacedValue) => wordsIn(value),
  env: (value: PlacedValue) => variablesIn(value),
  inheritEnv: (value: PlacedValue) => value.items('"inheritEnv"').map((each) => textIn(each, 'the name of a variable')),
  packages: (value: PlacedValue) => value.items('"packages"').map((each) => pinnedIn(each)),
  versions: (value: PlacedValue) => value.items('"versions"').map((each) => versionIn(each)),
  authMethod: (value: PlacedValue) => textIn(value, '"authMethod"'),
  prompts: (value: PlacedValue) => steeringIn(value),
  client: (value: PlacedValue) => value.value === true || value.refuse('"client" must be true or absent'),
  driver: (value: PlacedValue) => textIn(value, '"driver"'),
} as const;

/** A package with its exact version: a result for any other is not comparable. */
function pinnedIn(placed: PlacedValue): string {
  const text = textIn(placed, 'a package');
  return /^(?:@[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/.test(text)
    ? text
    : placed.refuse(`${JSON.stringify(text)} has no exact version, such as their-agent@1.2.3`);
}

function versionIn(placed: PlacedValue): CheckedVersion {
  return placed.value === 1 || placed.value === 2 ? placed.value : placed.refuse('a version of the protocol is 1 or 2');
}

/** Keys that only agents may have. */
const ofAgents = ['env', 'inheritEnv', 'authMethod', 'prompts'];

function subjectIn(placed: PlacedValue): MatrixSubject {
  const read: Read = {};
  for (const { key, at, value } of placed.members('an agent')) {
    if (!Object.hasOwn(readers, key)) at.refuse(`there is no "${key}", only ${Object.keys(readers).join(', ')}`);
    read[key as keyof typeof readers] = readers[key as keyof typeof readers](value);
  }
  refuseIncomplete(read, placed);
  const { name, command = [], env = {}, inheritEnv = [], driver, ...rest } = read;
  const isClient = driver !== undefined && { driver, client: true };
  return { name, words: command, env, inheritEnv, ...rest, ...isClient } as MatrixSubject;
}

type Read = { -readonly [Key in keyof typeof readers]?: unknown };

function refuseIncomplete(read: Read, placed: PlacedValue): void {
  const isNamed = read.name !== undefined;
  if (read.client !== true && read.driver === undefined) {
    if (!isNamed || read.command === undefined) placed.refuse('an agent needs a "name" and a "command"');
    return;
  }
  if (!isNamed || (read.command === undefined && read.driver === undefined))
    placed.refuse('a client needs a "name", and a "command" or a "driver"');
  const stray = ofAgents.find((key) => Object.hasOwn(read, key));
  if (stray !== undefined) placed.refuse(`a client has no "${stray}": its driver may have an "env"`);
}

function textIn(placed: PlacedValue, what: string): string {
  const { value } = placed;
  return typeof value === 'string' && value !== '' ? value : placed.refuse(`${what} must be a string`);
}

/** A command line, or a list of words. */
function wordsIn(placed: PlacedValue): readonly string[] {
  const { value } = placed;
  if (Array.isArray(value)) {
    const words = placed.items('"command"').map((each) => textIn(each, 'a word of "command"'));
    return words.length > 0 ? words : placed.refuse('"command" is empty');
  }
  try {
    return commandWords(textIn(placed, '"command"'));
  } catch (error) {
    return placed.refuse((error as Error).message);
  }
}

function variablesIn(placed: PlacedValue): Readonly<Record<string, string>> {
  const entries = placed.members('"env"').map(({ key, value }): [string, string] => {
    const text = value.value;
    return [key, typeof text === 'string' ? text : value.refuse(`the variable ${key} must be a string`)];
  });
  return Object.fromEntries(entries);
}
