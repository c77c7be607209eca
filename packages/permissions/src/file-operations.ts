import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { type FileOperation, knownLetters, type OperationStep } from '@turnwire/machine';
import { parse } from 'unbash';
import type { ShellCommand, ShellLine } from './shell-line.ts';

/** The effects of an operation, as absolute paths. They are not normalised, because the target of `..` depends on links. */
export interface OperationEffects {
  readonly reads: readonly string[];
  readonly changes: readonly string[];
  /** Paths at which the operation may create links. */
  readonly possibleLinks: readonly string[];
  /** The files and folders that it moves or copies with all their contents. */
  readonly trees: readonly string[];
  /** The replaced file. The operation has other effects if a folder has this path by then. */
  readonly replaced: readonly string[];
}

/** The maximum number of files in the folders that one operation moves or copies. */
const mostFiles = 2_000;

/** The operation of a command; undefined if it is another command, or not plain enough. */
export function fileOperation({ words: [first, ...rest] }: Pick<ShellCommand, 'words'>): FileOperation | undefined {
  const name = first?.value ?? '';
  if (!isKnown(name) || ![first, ...rest].every((word) => word?.kind === 'literal')) return undefined;
  const values = rest.map(({ value }) => value);
  const end = values.indexOf('--');
  const isOption = (value: string, at: number): boolean => /^-./s.test(value) && (end < 0 || at < end);
  const letters = values.filter(isOption).map((value) => value.slice(1));
  const operands = values.filter((value, at) => at !== end && !isOption(value, at));
  const isPlain =
    operands.length >= (isTransfer({ name }) ? 2 : 1) &&
    operands.every((operand) => operand !== '' && !operand.startsWith('~')) &&
    letters.every((each) => each.split('').every((letter) => knownLetters[name].includes(letter)));
  return isPlain ? { name, letters: letters.join(''), operands } : undefined;
}

/**
 * The operations of a command line that consists only of them: plain commands separated by `;`, `&&` or a line break. Undefined for any
 * other line.
 */
export function operationSteps(line: ShellLine): readonly OperationStep[] | undefined {
  const { commands: statements } = parse(line.source);
  const steps = statements.flatMap(({ command, background }) => {
    const parts = command.type === 'AndOr' ? command.commands : [command];
    const isPlain =
      background !== true &&
      (command.type !== 'AndOr' || command.operators.every((operator) => operator === '&&')) &&
      parts.every((part) => part.type === 'Command' && part.redirects.length === 0 && part.prefix.length === 0);
    return isPlain ? parts.map((_, at) => at > 0) : [undefined];
  });
  // Both parsers must find the same commands in the line.
  if (steps.length !== line.commands.length || line.doubts.length > 0) return undefined;
  const found = line.commands.flatMap((command, at): readonly OperationStep[] => {
    const operation = command.script ? undefined : fileOperation(command);
    const needsSuccess = steps[at];
    return operation && needsSuccess !== undefined ? [{ ...operation, needsSuccess }] : [];
  });
  return found.length > 0 && found.length === steps.length ? found : undefined;
}

/** Everything an operation would read and change if it ran in a folder now; undefined if that cannot be listed. */
export function effectsOf(operation: FileOperation, folder: string): OperationEffects | undefined {
  const paths = operation.operands.map((path) => (isAbsolute(path) ? path : `${folder}/${path}`));
  const nothing = { reads: [], possibleLinks: [], trees: [], replaced: [] };
  if (!isTransfer(operation)) return { ...nothing, changes: paths };
  const target = paths.pop() ?? '';
  const kind = kindAt(target);
  const made = madeBy(operation, { sources: paths, target, kind });
  if (!made) return undefined;
  const isMove = operation.name === 'mv';
  return {
    reads: [...(isMove ? [] : paths), ...(kind === 'folder' ? [target] : [])],
    changes: [...(isMove ? paths : []), ...made],
    ...(isTree(operation) ? { possibleLinks: made, trees: paths } : { possibleLinks: [], trees: [] }),
    replaced: kind === 'file' ? [target] : [],
  };
}

interface Transfer {
  readonly sources: readonly string[];
  readonly target: string;
  readonly kind: ReturnType<typeof kindAt>;
}

/** The files and folders that a command moves or copies to, those in folders included. */
function madeBy(operation: FileOperation, { sources, target, kind }: Transfer): readonly string[] | undefined {
  const made: string[] = [];
  for (const source of sources) {
    const last = basename(source);
    const contents = isTree(operation) ? contentsOf(source) : [];
    if (last === '..' || last === '' || !contents) return undefined;
    const inside = last === '.' ? target : `${target}/${last}`;
    // An earlier command may create a folder at a missing path.
    const targets = { folder: [inside], file: [target], nothing: [target, inside] }[kind];
    for (const destination of new Set(targets))
      made.push(
        ...(destination === target && kind === 'folder' ? [] : [destination]),
        ...contents.map((each) => `${destination}/${each}`),
      );
  }
  return made;
}

function isTree({ name, letters }: FileOperation): boolean {
  return name === 'mv' || /[rR]/.test(letters);
}

function isTransfer({ name }: Pick<FileOperation, 'name'>): boolean {
  return name === 'cp' || name === 'mv';
}

function isKnown(name: string): name is FileOperation['name'] {
  return Object.hasOwn(knownLetters, name);
}

function kindAt(path: string): 'folder' | 'file' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}

/** The relative paths of everything in a folder, without following links. Undefined if there are too many. */
function contentsOf(path: string): readonly string[] | undefined {
  const found: string[] = [];
  const add = (folder: string, below: string): boolean => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const name = join(below, entry.name);
      if (found.push(name) > mostFiles || (entry.isDirectory() && !add(join(folder, entry.name), name))) return false;
    }
    return true;
  };
  try {
    const isTree = lstatSync(path).isDirectory();
    return !isTree || add(path, '') ? found : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? found : undefined;
  }
}
