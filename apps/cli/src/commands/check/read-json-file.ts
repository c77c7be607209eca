import { readFile } from 'node:fs/promises';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';

/** A value of a JSON file that knows its position, so that errors name file, line and column. */
export class PlacedValue {
  readonly #file: { readonly path: string; readonly text: string };
  readonly #node: Node;

  constructor(file: { readonly path: string; readonly text: string }, node: Node) {
    this.#file = file;
    this.#node = node;
  }

  get value(): unknown {
    return getNodeValue(this.#node);
  }

  /** The members of an object, in order. Throws CommandError if it is not an object. */
  members(what: string): readonly { readonly key: string; readonly at: PlacedValue; readonly value: PlacedValue }[] {
    if (this.#node.type !== 'object') this.refuse(`${what} must be an object`);
    return (this.#node.children ?? []).map(({ children = [] }) => {
      const [key, value] = children as [Node, Node];
      return {
        key: String(key.value),
        at: new PlacedValue(this.#file, key),
        value: new PlacedValue(this.#file, value),
      };
    });
  }

  /** The items of a list. Throws CommandError if it is not a list. */
  items(what: string): readonly PlacedValue[] {
    if (this.#node.type !== 'array') this.refuse(`${what} must be a list`);
    return (this.#node.children ?? []).map((child) => new PlacedValue(this.#file, child));
  }

  /** Throws CommandError, exit code 2; the message begins with the position. */
  refuse(problem: string): never {
    return refuse(`${placeIn(this.#file, this.#node.offset)}: ${problem}`);
  }
}

/** Reads a JSON file that may have comments and trailing commas. Throws CommandError, exit code 2, that names the position. */
export async function readJsonFile(path: string): Promise<PlacedValue> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error));
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    return refuse(`${placeIn({ path, text }, first.offset)}: ${printParseErrorCode(first.error)}`);
  return root === undefined ? refuse(`${path}: is empty`) : new PlacedValue({ path, text }, root);
}

function unreadable(path: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  return refuse(`${path}: cannot be read: ${code === 'ENOENT' ? 'there is no such file' : `the system says ${code}`}`);
}

function placeIn({ path, text }: { readonly path: string; readonly text: string }, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

function refuse(message: string): never {
  throw new CommandError(message, exitCodes.usage);
}
