import type { ShellWord } from './shell-word.ts';

/** Sed commands that only print, delete or rearrange lines, or quit, with the number that some take. */
const harmless = /^(?:[=dDgGhHnNpPxz]|[lqQ]\s*\d*)/;
const step = /^[\s;]+|^#[^\n]*/;
const number = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/;

/**
 * Whether all scripts of a sed command only print and change its output, so that they read, write and run nothing. Unknown syntax is not
 * considered harmless. Options are not judged.
 */
export function isHarmlessSed([, ...rest]: readonly ShellWord[]): boolean {
  const scripts = scriptsOf(rest);
  return scripts.length > 0 && scripts.every((script) => script?.kind === 'literal' && isTameScript(script.value));
}

/** The values of `-e`; without one, the first word that is not an option. */
function scriptsOf(words: readonly ShellWord[]): readonly (ShellWord | undefined)[] {
  const given = words.flatMap((word, at) => {
    const [, attached] = /^(?:--expression(?:=|$)|-[nErsuz]*e)(.*)$/s.exec(word.value) ?? [];
    if (attached === undefined) return [];
    return [attached === '' ? words[at + 1] : { ...word, value: attached }];
  });
  const [first] = words.filter(({ value, kind }) => kind !== 'literal' || !value.startsWith('-'));
  return given.length > 0 ? given : first ? [first] : [];
}

function isTameScript(script: string): boolean {
  // The text after these continues in the next script, or in different ways in different versions of sed.
  if (script.endsWith('\\') || script.includes('\r')) return false;
  let left = script;
  let depth = 0;
  while (left !== '') {
    const after = withoutStep(left);
    if (after === undefined) return false;
    if (/^[{}]/.test(left)) depth += left.startsWith('{') ? 1 : -1;
    left = after;
  }
  return depth >= 0;
}

/** The script after its next command, brace or blank; undefined if that is not known to be harmless. */
function withoutStep(script: string): string | undefined {
  const [blank] = step.exec(script) ?? [];
  if (blank !== undefined) return script.slice(blank.length);
  if (/^[{}]/.test(script)) return script.slice(1);
  const command = withoutAddresses(script);
  if (command === undefined || command.startsWith('{')) return command;
  const rest = /^[sy]/.test(command) ? withoutReplacement(command) : withoutMatch(command, harmless);
  return rest !== undefined && /^(?:\s*[;}\n#]|\s*$)/.test(rest) ? rest : undefined;
}

function withoutAddresses(script: string): string | undefined {
  let left: string | undefined = withoutAddress(script);
  if (left?.startsWith(',')) {
    const second = left.slice(1).trimStart();
    left = withoutAddress(second);
    if (left === second) return undefined;
  }
  return left?.replace(/^\s*!?\s*/, '');
}

/** The script without a leading address. */
function withoutAddress(script: string): string | undefined {
  const delimiter = script.startsWith('/') ? script : script.startsWith('\\') ? script.slice(1) : undefined;
  if (delimiter === undefined) return (withoutMatch(script, number) ?? script).replace(/^\s+(?=,)/, '');
  return withoutDelimited(delimiter)?.replace(/^[IM]*\s*/, '');
}

/** The rest after `s/a/b/g`. Only flags that run and write nothing are accepted. */
function withoutReplacement(command: string): string | undefined {
  const replacement = withoutDelimited(command.slice(1));
  const flags = replacement === undefined ? undefined : withoutDelimited(`${command[1]}${replacement}`);
  if (flags === undefined || command.startsWith('y')) return flags;
  return flags.replace(/^[gpiImM\d]*/, '');
}

/** The rest after a text between two delimiters. Whether a delimiter in brackets ends it differs between versions of sed. */
function withoutDelimited(text: string): string | undefined {
  const [delimiter = ''] = text;
  if (delimiter === '' || /[\w\s\\;{}]/.test(delimiter)) return undefined;
  for (let at = 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === delimiter) {
      const inside = text.slice(1, at).replaceAll(/\\./gs, '');
      return /\[[^\]]*$/.test(inside) ? undefined : text.slice(at + 1);
    }
  }
  return undefined;
}

function withoutMatch(text: string, pattern: RegExp): string | undefined {
  const [found] = pattern.exec(text) ?? [];
  return found === undefined ? undefined : text.slice(found.length);
}
