import { isHarmlessVariable } from './risky-commands.ts';
import type { ShellWord } from './shell-word.ts';

/**
 * Why nothing can be sure about a line with this command of the shell itself: it changes what later words mean, where the line
 * stands, or computes what may run commands. Undefined if it does not, and for every other command.
 */
export function builtinDoubt([name, ...rest]: readonly ShellWord[]): string | undefined {
  return name && builtins[name.value]?.(rest);
}

const builtins: Readonly<Record<string, (rest: readonly ShellWord[]) => string | undefined>> = {
  '[': (rest) => testDoubt(rest.slice(0, -1)),
  compgen: () => 'it runs what completes words',
  declare: variablesSet,
  export: variablesSet,
  getopts: variablesSet,
  let: () => 'it computes',
  local: variablesSet,
  mapfile: () => 'it sets a variable by name',
  popd: () => 'it changes the folder with popd',
  printf: ([first]) =>
    first?.value.startsWith('-v') || first?.kind === 'computed' ? 'it may set a variable by name' : undefined,
  pushd: () => 'it changes the folder with pushd',
  read: variablesSet,
  readarray: () => 'it sets a variable by name',
  readonly: variablesSet,
  set: setDoubt,
  test: testDoubt,
  typeset: variablesSet,
  unset: variablesSet,
  wait: ([first]) => (first?.value.startsWith('-p') ? 'it sets a variable by name' : undefined),
};

/** Names of variables stand behind the options, with or without a value. */
function variablesSet(rest: readonly ShellWord[]): string | undefined {
  for (const { becomes, value, kind } of rest) {
    const name = /^[^=]*/.exec(becomes)?.[0] ?? '';
    // A value may be computed, the name may not. Text after an option such as `read -p` is taken for a name: better too often.
    const isName = /^\w+$/.test(name) && (name.length < becomes.length || kind === 'literal');
    if (kind === 'literal' && /^-[a-z]+$/.test(value) && !/^-[a-z]*[aAinF]/.test(value)) continue;
    if (!isName || !isHarmlessVariable(name)) return `it sets the variable ${value}`;
  }
  return undefined;
}

/** Only what makes a script stop or speak earlier. */
function setDoubt(rest: readonly ShellWord[]): string | undefined {
  const isTame = rest.every(({ value, kind }, at) =>
    kind === 'literal' && rest[at - 1]?.value.endsWith('o') && at > 0
      ? /^(?:pipefail|errexit|nounset|xtrace)$/.test(value)
      : kind === 'literal' && /^[-+][eux]*o?$/.test(value),
  );
  return isTame ? undefined : 'it changes how the shell reads what follows';
}

const binary = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;
const unary = /^-[abcdefghknoprstuwxzGLNOS]$/;

/** `-v` and `-R` evaluate what is in brackets behind a name, and a word that is computed may become one of them. */
function testDoubt(words: readonly ShellWord[]): string | undefined {
  if (words[0]?.kind === 'literal' && words[0].value === '!') return testDoubt(words.slice(1));
  const values = words.map(({ value, kind }) => (kind === 'literal' ? value : undefined));
  if (values.some((value) => value === '-v' || value === '-R')) return 'it tests a variable by name';
  const isSure = !values.includes(undefined) || hasKnownOperator(values);
  return isSure && !words.some(({ isSplit }) => isSplit) ? undefined : 'what it tests is only known to the shell';
}

function hasKnownOperator(values: readonly (string | undefined)[]): boolean {
  const [one = '', two = ''] = values;
  return values.length === 1 || (values.length === 2 && unary.test(one)) || (values.length === 3 && binary.test(two));
}
