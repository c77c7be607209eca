import { readFileSync } from 'node:fs';
import { TurnwireError } from '@turnwire/protocol';
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { changeFile, fileStamp } from './file-change.ts';
import type { RuleEffect } from './permissions.ts';

/** A rule as it stands in a file. */
interface WrittenRule {
  readonly effect: RuleEffect;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** What a file says. */
export interface RuleFileContent {
  readonly rules: readonly WrittenRule[];
  /** What the person has to be told. With any, no rule of the file may allow anything. */
  readonly troubles: readonly string[];
}

const effects: readonly RuleEffect[] = ['allow', 'ask', 'deny'];

/**
 * A file with rules: `{"allow": [...], "ask": [...], "deny": [...]}`; comments and other keys are kept. Read again when it has
 * changed. A file that cannot be understood is never written over.
 */
export class RuleFile {
  readonly path: string;
  #stamp = 'never read';
  #content: RuleFileContent = { rules: [], troubles: [] };

  constructor(path: string) {
    this.path = path;
  }

  /** What it says now; the same object as long as it does not change. */
  read(): RuleFileContent {
    const stamp = fileStamp(this.path);
    if (stamp !== this.#stamp) {
      this.#content = this.#readAgain();
      this.#stamp = stamp;
    }
    return this.#content;
  }

  /** Adds a rule at the end of its list. Rejects with `invalid-input` if the file is broken. */
  async add(effect: RuleEffect, text: string): Promise<void> {
    await this.#change((source) => {
      const list = listOf(parsed(this.path, source), effect);
      if (list.includes(text)) return source;
      const path = list.length > 0 || source.trim() !== '' ? [effect, list.length] : [effect];
      const value = path.length === 1 ? [text] : text;
      return edited(
        source,
        path.length === 2 && list.length === 0 ? [effect] : path,
        list.length === 0 ? [text] : value,
      );
    });
  }

  /** Takes a rule out of its list, every time it stands there. */
  async remove(effect: RuleEffect, text: string): Promise<void> {
    await this.#change((source) => {
      let result = source;
      for (let at; (at = listOf(parsed(this.path, result), effect).indexOf(text)) >= 0;)
        result = edited(result, [effect, at], undefined);
      return result;
    });
  }

  async #change(change: (source: string) => string): Promise<void> {
    await changeFile(this.path, change);
    this.#stamp = 'changed by us';
  }

  #readAgain(): RuleFileContent {
    try {
      return contentOf(this.path, readFileSync(this.path, 'utf8'), this.#content);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { rules: [], troubles: [] };
      const trouble = `${this.path} cannot be read (${(error as Error).message}); nothing is allowed by it`;
      return { rules: strict(this.#content.rules), troubles: [trouble] };
    }
  }
}

function strict(rules: readonly WrittenRule[]): readonly WrittenRule[] {
  return rules.filter(({ effect }) => effect !== 'allow');
}

/** A broken file allows nothing, but what it forbids, or forbade before it broke, stays forbidden. */
function contentOf(path: string, source: string, before: RuleFileContent): RuleFileContent {
  if (source.trim() === '') return { rules: [], troubles: [] };
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const rules = root ? effects.flatMap((effect) => rulesOf(root, effect, source)) : [];
  const problem = errors[0] ? syntaxProblem(source, errors[0]) : shapeProblem(root, source);
  if (problem === undefined) return { rules, troubles: [] };
  return {
    rules: [...strict(before.rules), ...strict(rules)],
    troubles: [`${path}, ${problem}; nothing is allowed by it until it is put right`],
  };
}

function rulesOf(root: Node, effect: RuleEffect, source: string): readonly WrittenRule[] {
  const list = findNodeAtLocation(root, [effect])?.children ?? [];
  return list.flatMap((node) =>
    node.type === 'string' ? [{ effect, text: String(node.value), line: lineOf(source, node.offset) }] : [],
  );
}

function syntaxProblem(source: string, { offset, error }: ParseError): string {
  const words = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return `line ${lineOf(source, offset)}: this is not JSON (${words})`;
}

function shapeProblem(root: Node | undefined, source: string): string | undefined {
  if (root?.type !== 'object') return 'line 1: it must hold an object like {"allow": [], "ask": [], "deny": []}';
  for (const effect of effects) {
    const list = findNodeAtLocation(root, [effect]);
    const wrong = list && (list.type === 'array' ? list.children?.find(({ type }) => type !== 'string') : list);
    if (wrong) return `line ${lineOf(source, wrong.offset)}: "${effect}" must be a list of texts`;
  }
  return undefined;
}

/** The object in a file that is to be changed; throws if it is broken. */
function parsed(path: string, source: string): Node | undefined {
  const [trouble] = contentOf(path, source, { rules: [], troubles: [] }).troubles;
  if (trouble !== undefined) throw new TurnwireError('invalid-input', `The rule was not written: ${trouble}`);
  return parseTree(source, [], { allowTrailingComma: true });
}

function listOf(root: Node | undefined, effect: RuleEffect): readonly string[] {
  const list = root && findNodeAtLocation(root, [effect]);
  return (list?.children ?? []).map((node) => String(node.value));
}

function edited(source: string, path: (string | number)[], value: unknown): string {
  const text = source.trim() === '' ? '{}\n' : source;
  const isInsertion = typeof path.at(-1) === 'number' && value !== undefined;
  return applyEdits(
    text,
    modify(text, path, value, {
      isArrayInsertion: isInsertion,
      formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' },
    }),
  );
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
