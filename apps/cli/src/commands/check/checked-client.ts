import { existsSync, statSync } from 'node:fs';
import {
  acpxDriver,
  turnwireDriver,
  type ClientAction,
  type ClientDriver,
  type ClientSteps,
  type ClientSubject,
  commandClient,
  type Keystrokes,
  type RemoteProfile,
} from '@turnwire/conformance';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { shownCommand } from '../../shown-command.ts';
import { type PlacedValue, readJsonFile } from './read-json-file.ts';
import { resolve } from 'node:path';
import { programPath } from '@turnwire/client/node';

/** The options that define how to drive a client. */
export interface ClientArguments {
  readonly words: readonly string[];
  /** `turnwire`, `acpx`, or a file. */
  readonly driver?: string;
  /** The transport between the client and the simulated agent. Default: the client starts a program. */
  readonly over?: 'stdio' | RemoteProfile;
}

/**
 * The client to check: a command line with `{agent}` and `{prompt}`, or one with a driver. Rejects with CommandError, exit code 2, if
 * neither is given, the driver's file cannot be used, or there is no such program.
 * @param cwd the folder for relative paths on the command line
 */
export async function checkedClient(args: ClientArguments, cwd: string): Promise<ClientSubject> {
  const driver = placedDriver(await driverOf(args), cwd);
  return commandClient(driver, args.over === 'stdio' ? undefined : args.over);
}

async function driverOf({ words, driver }: ClientArguments): Promise<ClientDriver> {
  if (driver === undefined) return plainClient(words);
  const known = knownDrivers[driver];
  if (known !== undefined) return known(words.length > 0 ? words : [driver]);
  // A word without a path that is not a file is meant as the name of a driver.
  if (/^[\w-]+$/.test(driver) && !existsSync(driver))
    throw new CommandError(
      `there is no driver ${driver}, only ${Object.keys(knownDrivers).join(', ')}; or name a file with one`,
      exitCodes.usage,
    );
  return readDriver(driver);
}

const knownDrivers: Readonly<Record<string, (words: readonly string[]) => ClientDriver>> = {
  turnwire: turnwireDriver,
  acpx: acpxDriver,
};

/** The driver of a plain command line. Without placeholders, the agent is the last argument and the prompt is typed. */
function plainClient(words: readonly string[]): ClientDriver {
  if (words.length === 0)
    throw new CommandError(
      'check --client needs a client: turnwire check --client -- COMMAND {agent} {prompt}, or --driver',
      exitCodes.usage,
    );
  const says = (placeholder: string): boolean => words.some((word) => word.includes(placeholder));
  const line = says('{agent}') ? words : [...words, '{agent}'];
  const steps: ClientSteps = { steps: [line], ...(!says('{prompt}') && { input: '{prompt}\n' }) };
  return { name: shownCommand(words), actions: { prompt: steps } };
}

/** All actions of clients. The type makes the list complete. */
const actions: Readonly<Record<ClientAction, true>> = {
  prompt: true,
  allow: true,
  deny: true,
  'leave open': true,
  'cancel call': true,
  'cancel terminal': true,
  'prompt twice': true,
  image: true,
  mention: true,
  load: true,
  list: true,
  close: true,
  delete: true,
  fork: true,
  mode: true,
  option: true,
  login: true,
  'terminal login': true,
  logout: true,
  'add directory': true,
  'load with directory': true,
  'mcp servers': true,
  answer: true,
  decline: true,
  consent: true,
};

async function readDriver(path: string): Promise<ClientDriver> {
  const root = await readJsonFile(path);
  const read: Record<string, unknown> = {};
  for (const { key, at, value } of root.members('a driver')) {
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (reader === undefined) at.refuse(`there is no "${key}", only ${Object.keys(readers).join(', ')}`);
    else read[key] = reader(value);
  }
  if (read['name'] === undefined || read['actions'] === undefined) root.refuse('a driver needs a "name" and "actions"');
  const driver = read as unknown as ClientDriver;
  for (const [action, steps] of Object.entries(driver.actions))
    if (!namesAgent(steps, driver))
      root.refuse(
        `the action "${action}" does not contain {agent}, the program that the client has to start as its agent`,
      );
  return driver;
}

/** Whether the client gets the agent to start: by `{agent}`, or by the folder `{bin}` on its PATH. */
function namesAgent({ steps }: ClientSteps, { env = {} }: ClientDriver): boolean {
  return [...steps.flat(), ...Object.values(env)].some((word) => /\{(?:agent|bin)\}/.test(word));
}

const readers: Readonly<Record<string, (value: PlacedValue) => unknown>> = {
  name: (value) => textIn(value),
  actions: (value) =>
    Object.fromEntries(
      value.members('"actions"').map(({ key, at, value: steps }) => {
        if (!Object.hasOwn(actions, key))
          at.refuse(`there is no action "${key}", only ${Object.keys(actions).join(', ')}`);
        return [key, stepsIn(steps)];
      }),
    ),
  cancel: (value) => (value.value === 'SIGINT' || value.value === 'SIGTERM' ? value.value : stepsIn(value)),
  env: (value) => Object.fromEntries(value.members('"env"').map(({ key, value: each }) => [key, wordIn(each)])),
  agentNames: (value) => value.items('"agentNames"').map(textIn),
};

function stepsIn(placed: PlacedValue): ClientSteps {
  const read: { steps?: readonly (readonly string[])[]; input?: string; terminal?: readonly Keystrokes[] } = {};
  for (const { key, at, value } of placed.members('an action')) {
    if (key === 'steps') read.steps = value.items('"steps"').map(stepIn);
    else if (key === 'input') read.input = wordIn(value);
    else if (key === 'terminal') read.terminal = value.items('"terminal"').map(keystrokesIn);
    else at.refuse(`there is no "${key}", only steps, input, terminal`);
  }
  const { steps, ...others } = read;
  if (steps === undefined || steps.length === 0)
    return placed.refuse('it needs "steps": a list of command lines, each a list of words');
  return { steps, ...others };
}

function stepIn(placed: PlacedValue): readonly string[] {
  const words = placed.items('a step').map(wordIn);
  return words.length > 0 ? words : placed.refuse('a step needs a program');
}

function keystrokesIn(placed: PlacedValue): Keystrokes {
  const { after, type } = Object.fromEntries(placed.members('"input"').map(({ key, value }) => [key, wordIn(value)]));
  if (after === undefined || type === undefined)
    return placed.refuse('it needs "after" (a text the terminal shows) and "type"');
  return { after, type };
}

/** The placeholders that a driver may use. */
const placeholders = new Set([
  ...['agent', 'bin', 'cwd', 'prompt', 'next', 'image', 'blocks', 'file', 'session', 'mode', 'option', 'value'],
  ...['method', 'directory', 'servers', 'serverList', 'answers', 'url', 'PATH'],
]);

/** A text with placeholders. Unknown placeholders are refused, except `${…}`, which shells use. */
function wordIn(placed: PlacedValue): string {
  const text = textIn(placed);
  const unknown = [...text.matchAll(/(?<!\$)\{(\w+)\}/g)].find(([, name = '']) => !placeholders.has(name));
  return unknown === undefined
    ? text
    : placed.refuse(`there is no ${unknown[0]}, only ${[...placeholders].map((name) => `{${name}}`).join(' ')}`);
}

function textIn(placed: PlacedValue): string {
  const { value } = placed;
  return typeof value === 'string' ? value : placed.refuse('this must be a string');
}

/**
 * Makes the paths of files in a driver absolute, because each client starts in its own folder. Throws CommandError, exit code 2, if a
 * program does not exist.
 */
function placedDriver(driver: ClientDriver, cwd: string): ClientDriver {
  const actions = Object.entries(driver.actions).map(([action, steps]) => [action, placedSteps(steps, cwd)] as const);
  const { cancel } = driver;
  return {
    ...driver,
    actions: Object.fromEntries(actions),
    ...(typeof cancel === 'object' && { cancel: placedSteps(cancel, cwd) }),
  };
}

function placedSteps(args: ClientSteps, cwd: string): ClientSteps {
  const steps = args.steps.map((words) => words.map((word) => placedWord(word, cwd)));
  for (const [program = ''] of steps) findOrFail(program, cwd);
  return { ...args, steps };
}

/** Makes the path of a file absolute. A word without a dot or slash is unchanged, because a file may have the same name as a subcommand. */
function placedWord(word: string, cwd: string): string {
  const path = resolve(cwd, word);
  return /[./\\]/.test(word) && statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : word;
}

function findOrFail(program: string, cwd: string): void {
  const isKnownLater = program.includes('{');
  if (isKnownLater || programPath(program, { cwd, env: process.env }) !== undefined) return;
  throw new CommandError(`there is no program ${program}`, exitCodes.usage);
}
