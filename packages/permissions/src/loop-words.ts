import { type For, forEachChild, type SyntaxNode } from 'unbash';
import { isWrapper } from './risky-commands.ts';
import { type ShellWord, shellWord } from './shell-word.ts';

/** Builtins that may set a variable. */
const setters = /^(?:declare|export|getopts|let|local|mapfile|printf|read|readarray|readonly|typeset|unset|wait)$/;

/**
 * The values of variables that only one loop sets, by name: `f` in `for f in src/*.ts; do cat "$f"; done`. Only loops whose words are all
 * on the line.
 */
export function loopWords(root: SyntaxNode, source: string): ReadonlyMap<string, readonly ShellWord[]> {
  const nodes = allNodes(root);
  const loops = nodes.filter((node): node is For => node.type === 'For');
  if (loops.length === 0 || nodes.some(maySet)) return new Map();
  const known = loops.filter((loop) => loops.every((each) => each === loop || each.name.value !== loop.name.value));
  const values = known.flatMap(({ name, wordlist = [], pos }): readonly (readonly [string, readonly ShellWord[]])[] => {
    const words = wordlist.map(shellWord);
    const isAfter = source.search(new RegExp(String.raw`\$\{?${name.value}\b`)) > pos;
    return isAfter && words.length > 0 && words.every(({ kind }) => kind !== 'computed') ? [[name.value, words]] : [];
  });
  return new Map(values);
}

function allNodes(node: SyntaxNode): readonly SyntaxNode[] {
  const nodes = [node];
  forEachChild(node, (child) => void nodes.push(...allNodes(child)));
  return nodes;
}

function maySet(node: SyntaxNode): boolean {
  if (node.type === 'Command') return setters.test(node.name?.value ?? '') || isWrapper(node.name?.value ?? '');
  return /^(?:Arithmetic|Assignment|FileDescriptor|Function|Select)/.test(node.type);
}

/** The words of a command, with the values of loop variables in place of `"$f"`. */
export function withLoops(
  words: readonly ShellWord[],
  loops: ReadonlyMap<string, readonly ShellWord[]>,
): readonly ShellWord[] {
  if (loops.size === 0) return words;
  return words.flatMap((word) => {
    const [, plain, braced] = /^"\$(?:(\w+)|\{(\w+)\})"$/.exec(word.text) ?? [];
    return loops.get(plain ?? braced ?? '') ?? [word];
  });
}
