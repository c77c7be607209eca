import { TurnwireError } from '@turnwire/protocol';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { readOwnFile, readProjectFile, UnreadableFile } from '@turnwire/machine';
import { changeFile, fileStamp, missingStamp } from './file-change.ts';
import type { GivenRule, RuleEffect } from './permissions.ts';
import { effectMeant, isForeign } from './unknown-key.ts';
import { isSameRule, lengthProblem, ruleForm, writtenRule } from './written-rule.ts';

/** A rule in a file. */
interface WrittenRule extends GivenRule {
  /** The line number, from 1. */
  readonly line: number;
  /** Set if it is no longer in the file. */
  readonly isHeld?: true;
}

/** The content of a file. */
export interface RuleFileContent {
  readonly rules: readonly WrittenRule[];
  /** Earlier prohibitions of the file that stay in force, because an agent may have removed them. */
  readonly held: readonly WrittenRule[];
  /** Warnings for the user. With any, no rule of the file may allow anything. */
  readonly warnings: readonly string[];
}

/** The maximum number of rules in a file, and of its bytes. Users do not write more. */
const mostRules = 5_000;
const longest = 1024 * 1024;

const effects: readonly RuleEffect[] = ['allow', 'ask', 'deny'];

/**
 * A file with rules: `{"allow": [...], "ask": [...], "deny": [...]}`. A rule is a text, or an object with further keys. Comments are preserved. Any other key is an error, because rules
 * under it would be ignored. The file is read again when it has changed. A prohibition that is missing then stays in force. An invalid file
 * is never overwritten.
 */
export class RuleFile {
  readonly path: string;
  readonly #text: () => string | undefined;
  readonly #isUsers: boolean;
  #stamp = missingStamp;
  #content: Omit<RuleFileContent, 'held'> = { rules: [], warnings: [] };
  #read: RuleFileContent = { rules: [], held: [], warnings: [] };
  /** Every prohibition that was ever in the file, until {@link RuleFile.remove} removes it. */
  #prohibitions: readonly WrittenRule[] = [];

  /** @param project the project folder of a project's file; undefined for the user's own file */
  constructor(path: string, project: string | undefined) {
    this.path = path;
    this.#isUsers = project === undefined;
    this.#text = () =>
      project === undefined
        ? readOwnFile(path, { limit: longest })
        : readProjectFile(path, { project, limit: longest });
  }

  /** The current content; the same object as long as it does not change. */
  read(): RuleFileContent {
    const stamp = fileStamp(this.path);
    if (stamp !== this.#stamp) {
      this.#content = this.#readAgain();
      const { rules } = this.#content;
      const held = this.#prohibitions.filter((rule) => !rules.some((each) => isSameRule(each, rule)));
      this.#prohibitions = [...held, ...strict(rules)];
      this.#read = { ...this.#content, held: held.map((rule) => ({ ...rule, isHeld: true })) };
      this.#stamp = stamp;
    }
    return this.#read;
  }

  /**
   * Adds a rule at the end of its list, unless the file contains it: then a message replaces that of the file. Rejects with `invalid-input`
   * if the file is invalid, or would be with the rule.
   */
  async add(rule: GivenRule): Promise<void> {
    const { effect, text, message, child } = rule;
    await this.#change((source) => {
      const list = listOf(parsed(this.path, source), effect);
      const known = list.findIndex((each) => isSameRule(each, rule));
      if (known >= 0 && (message === undefined || list[known]?.message === message)) return source;
      const isPlain = message === undefined && child === undefined;
      const entry = isPlain
        ? text
        : { rule: text, ...(child !== undefined && { child }), ...(message !== undefined && { message }) };
      // The index -1 adds an item at the end.
      const result = edited(source, [effect, known], entry);
      parsed(this.path, result);
      return result;
    });
  }

  /** Removes every occurrence of a rule from its list. */
  async remove(rule: GivenRule): Promise<void> {
    this.#prohibitions = this.#prohibitions.filter((each) => !isSameRule(each, rule));
    await this.#change((source) => {
      let result = source;
      const place = (): number =>
        listOf(parsed(this.path, result), rule.effect).findIndex((each) => isSameRule(each, rule));
      for (let at; (at = place()) >= 0;) result = edited(result, [rule.effect, at], undefined);
      return result;
    });
  }

  async #change(change: (source: string) => string): Promise<void> {
    await changeFile({ path: this.path, read: this.#text, limit: longest, isPrivate: this.#isUsers }, change);
    this.#stamp = 'changed by us';
  }

  #readAgain(): Omit<RuleFileContent, 'held'> {
    try {
      const text = this.#text();
      return text === undefined ? { rules: [], warnings: [] } : contentOf(this.path, text, this.#content);
    } catch (error) {
      const reason = error instanceof UnreadableFile ? error.message : `${this.path} cannot be read: ${String(error)}.`;
      return {
        rules: strict(this.#content.rules),
        warnings: [`${reason} Until it can be read, all actions are asked about.`],
      };
    }
  }
}

function strict(rules: readonly WrittenRule[]): readonly WrittenRule[] {
  return rules.filter(({ effect }) => effect !== 'allow');
}

/** An invalid file allows nothing, but its current and previous prohibitions still apply. */
function contentOf(
  path: string,
  source: string,
  before: Pick<RuleFileContent, 'rules'>,
): Omit<RuleFileContent, 'held'> {
  if (source.trim() === '') return { rules: [], warnings: [] };
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const written = root ? effects.flatMap((effect) => rulesOf(root, effect, source)) : [];
  const short = written.filter((rule) => lengthProblem(rule) === undefined);
  const rules = short.length > mostRules ? strict(short).slice(0, mostRules) : short;
  const problem = errors[0] ? syntaxProblem(source, errors[0]) : (shapeProblem(root, source) ?? sizeProblem(written));
  if (problem === undefined) return { rules, warnings: [] };
  return {
    rules: [...strict(before.rules), ...strict(rules)],
    warnings: [`${path}, ${problem}; until it is fixed, all actions are asked about`],
  };
}

function rulesOf(root: Node, effect: RuleEffect, source: string): readonly WrittenRule[] {
  const list = findNodeAtLocation(root, [effect])?.children ?? [];
  let [line, seen] = [1, 0];
  return list.flatMap((node) => {
    line += lineOf(source.slice(seen, node.offset)) - 1;
    seen = node.offset;
    const entry = writtenRule(getNodeValue(node));
    return entry ? [{ effect, ...entry, line }] : [];
  });
}

function syntaxProblem(source: string, { offset, error }: ParseError): string {
  const words = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return `line ${lineOf(source.slice(0, offset))}: this is not JSON (${words})`;
}

function shapeProblem(root: Node | undefined, source: string): string | undefined {
  if (root?.type !== 'object') return 'line 1: it must contain an object like {"allow": [], "ask": [], "deny": []}';
  const seen = new Set<string>();
  for (const { children: [key, value] = [] } of root.children ?? []) {
    if (!key) continue;
    const name = String(key.value);
    const problem = seen.has(name) ? `"${name}" occurs for the second time` : keyProblem(name, value);
    if (problem !== undefined) return `line ${lineOf(source.slice(0, (wrongIn(value) ?? key).offset))}: ${problem}`;
    seen.add(name);
  }
  return undefined;
}

function keyProblem(name: string, value: Node | undefined): string | undefined {
  if (name === '$schema') return undefined;
  if (effects.some((effect) => effect === name))
    return wrongIn(value) ? `"${name}" must be a list of ${ruleForm}` : undefined;
  if (isForeign(name) && value?.type === 'object')
    return `there is no key "${name}". Other programs have it in their settings (Claude Code: {"permissions": {"allow": []}}); here "allow", "ask" and "deny" are at the top level`;
  const meant = effectMeant(name);
  const hint = meant === undefined ? 'the keys are "allow", "ask" and "deny"' : `did you mean "${meant}"?`;
  return `there is no key ${JSON.stringify(name)} (${hint})`;
}

/** The first item of a list that is not a rule, or the value if it is not a list. */
function wrongIn(value: Node | undefined): Node | undefined {
  return value?.type === 'array'
    ? value.children?.find((each) => writtenRule(getNodeValue(each)) === undefined)
    : value;
}

function sizeProblem(written: readonly WrittenRule[]): string | undefined {
  for (const rule of written) {
    const problem = lengthProblem(rule);
    if (problem !== undefined) return `line ${rule.line}: ${problem}`;
  }
  const { line } = written[mostRules] ?? {};
  if (line === undefined) return undefined;
  return `line ${line}: the file has ${written.length} rules, but at most ${mostRules} are supported`;
}

/** The object in a file to change; throws if it is invalid. */
function parsed(path: string, source: string): Node | undefined {
  const [warning] = contentOf(path, source, { rules: [] }).warnings;
  if (warning !== undefined) throw new TurnwireError('invalid-input', `The rule was not written: ${warning}`);
  return parseTree(source, [], { allowTrailingComma: true });
}

function listOf(root: Node | undefined, effect: RuleEffect): readonly GivenRule[] {
  const list = root && findNodeAtLocation(root, [effect]);
  return (list?.children ?? []).flatMap((node) => {
    const entry = writtenRule(getNodeValue(node));
    return entry ? [{ effect, ...entry }] : [];
  });
}

function edited(source: string, path: (string | number)[], value: unknown): string {
  const text = source.trim() === '' ? '{}\n' : source;
  return applyEdits(
    text,
    modify(text, path, value, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }),
  );
}

/** The number of the last line of a text. */
function lineOf(text: string): number {
  return text.split('\n').length;
}
