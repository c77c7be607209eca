import { isHarmlessVariable } from './risky-commands.ts';
import type { ShellWord } from './shell-word.ts';

/**
 * Why a line with this shell builtin is unclear: it changes the meaning of later words or the working directory, or evaluates text that may
 * run commands. Undefined for harmless uses and for other commands.
 */
export function builtinDoubt([name, ...rest]: readonly ShellWord[]): string | undefined {
  return name && builtins[name.value]?.(rest);
}

const builtins: Readonly<Record<string, (rest: readonly ShellWord[]) => string | undefined>> = {
  '[': (rest) => testDoubt(rest.slice(0, -1)),
  compgen: () => 'it runs completion code',
  declare: variablesSet,
  export: variablesSet,
  fc: () => 'it may run a command of the history',
  getopts: variablesSet,
  jobs: (rest) => (areJobs('lnprs', rest) ? undefined : 'it may run a command'),
  let: () => 'it computes',
  local: variablesSet,
  mapfile: () => 'it sets a variable by name',
  popd: () => 'it changes the folder with popd',
  printf: printfDoubt,
  pushd: () => 'it changes the folder with pushd',
  read: variablesSet,
  readarray: () => 'it sets a variable by name',
  readonly: variablesSet,
  set: setDoubt,
  shopt: () => 'it changes how the shell reads patterns',
  test: testDoubt,
  typeset: variablesSet,
  unset: variablesSet,
  wait: (rest) => (areJobs('nf', rest) ? undefined : 'it may set a variable by name'),
};

/** Whether words are jobs, or options with these letters, which only choose jobs to wait for or list. */
function areJobs(letters: string, words: readonly ShellWord[]): boolean {
  const plain = new RegExp(`^(?:-[${letters}]+|%[\\w%+-]*|\\d+)$`);
  return words.every(({ value, kind, text }) => text === '$!' || (kind === 'literal' && plain.test(value)));
}

/** The doubt about `printf`: `-v` and `%n` in the format set a variable. */
function printfDoubt(rest: readonly ShellWord[]): string | undefined {
  const [first, second] = rest;
  const format = first?.kind === 'literal' && first.value === '--' ? second : first;
  const isKnown =
    format === undefined || (format.kind === 'literal' && (format !== first || !format.value.startsWith('-')));
  const isTame = isKnown && !/%[^a-zA-Z%]*n/.test((format?.value ?? '').replaceAll('%%', ''));
  return isTame ? undefined : 'it may set a variable by name';
}

/** The doubt about variables that a builtin sets: their names follow the options, with or without a value. */
function variablesSet(rest: readonly ShellWord[]): string | undefined {
  for (const { becomes, value, kind } of rest) {
    const name = /^[^=]*/.exec(becomes)?.[0] ?? '';
    // A value may be computed, but the name may not. Text after an option such as `read -p` is treated as a name, to be safe.
    const isName = /^\w+$/.test(name) && (name.length < becomes.length || kind === 'literal');
    if (kind === 'literal' && /^-[a-z]+$/.test(value) && !/^-[a-z]*[aAinF]/.test(value)) continue;
    if (!isName || !isHarmlessVariable(name)) return `it sets the variable ${value}`;
  }
  return undefined;
}

/** The doubt about `set`. Only options that make a script stop or print earlier are harmless. */
function setDoubt(rest: readonly ShellWord[]): string | undefined {
  const isHarmless = rest.every(({ value, kind }, at) =>
    kind === 'literal' && rest[at - 1]?.value.endsWith('o') && at > 0
      ? /^(?:pipefail|errexit|nounset|xtrace)$/.test(value)
      : kind === 'literal' && /^[-+][eux]*o?$/.test(value),
  );
  return isHarmless ? undefined : 'it changes how the shell parses the rest';
}

const binary = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;
const unary = /^-[abcdefghknoprstuwxzGLNOS]$/;

/** The doubt about a test: `-v` and `-R` evaluate the text in brackets after a name, and a computed word may become one of them. */
function testDoubt(words: readonly ShellWord[]): string | undefined {
  if (words[0]?.kind === 'literal' && words[0].value === '!') return testDoubt(words.slice(1));
  const values = words.map(({ value, kind }) => (kind === 'literal' ? value : undefined));
  if (values.some((value) => value === '-v' || value === '-R')) return 'it tests a variable by name';
  const isSure = !values.includes(undefined) || hasKnownOperator(values);
  return isSure && !words.some(({ isSplit }) => isSplit) ? undefined : 'only the shell knows what it tests';
}

function hasKnownOperator(values: readonly (string | undefined)[]): boolean {
  const [one = '', two = ''] = values;
  return values.length === 1 || (values.length === 2 && unary.test(one)) || (values.length === 3 && binary.test(two));
}
