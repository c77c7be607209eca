import { basename, resolve } from 'node:path';
import type { PermissionsOptions } from '../../src/index.ts';
import { given } from '../project.ts';
import { dangerousOptions, verbAt } from './dangerous-options.ts';
import { type Observed, secretMark } from './slot.ts';
import type { Call } from './traced-programs.ts';

/** Rules and a mode, and a check of the effects of allowed lines. */
export interface Policy {
  readonly title: string;
  readonly options: Omit<PermissionsOptions, 'project'>;
  /** The effects that the rules do not allow, or that they deny. */
  readonly violations: (observed: Observed, project: string) => readonly string[];
}

/** Commands separated by commas. */
function listed(commands: string): readonly string[] {
  return commands.split(',').map((each) => each.trim());
}

const reading = listed(`
git status, git log *, git diff *, ls, ls *, cat *, echo *, grep *, head *, wc *, pwd
`);
const building = listed(`
npm test, npm test *, make, git *, find *, sort *, tar *, rg *, split *, scp *, rsync *
`);
const shell = listed(`
printf *, read *, test *, [ *, unset *, export *, declare *, typeset *, local *, readonly *, getopts *,
wait *, let *, mapfile *, set *, shift *, return *, exit *, git status, ls, echo *
`);

/** Programs whose settings are in their working directory; git also reads those of the folders above. */
function readsForeignSettings(name: string, cwd: string, project: string): boolean {
  if (name === 'git') return cwd !== project && (cwd.startsWith(`${project}/sub`) || !cwd.startsWith(`${project}/`));
  return /^(?:npm|make)$/.test(name) && cwd !== project;
}

/** Rules that allow certain commands, and files below some folders. */
function allowing(title: string, commands: readonly string[], edits: readonly string[]): Policy {
  const rules = [...commands.map((each) => `allow Bash(${each})`), ...edits.map((each) => `allow Edit(${each}/**)`)];
  return {
    title,
    options: { rules: rules.map(given) },
    violations: ({ calls, missing, changed }, project) => [
      ...calls.filter((call) => !isCovered(call, commands, project)).map(shown),
      ...missing
        .filter((name) => !commands.some((each) => each.split(' ', 1)[0] === name))
        .map((name) => `${name} (missing)`),
      ...changed.filter((path) => !edits.some((each) => path.startsWith(`${each}/`))).map((path) => `changed ${path}`),
    ],
  };
}

function isCovered(call: Call, commands: readonly string[], project: string): boolean {
  const parts = partsOf(call);
  if (parts) return parts.every((each) => isCovered(each, commands, project));
  const { file, args, cwd } = call;
  const name = basename(file);
  const isTheReal = basename(resolve(file, '..')) === 'bin';
  // The program that this shell runs was called too, and is checked separately.
  if (isTheReal && /^(?:ba)?sh$/.test(name) && args.some((each) => /^-\w*c$/.test(each))) return true;
  if (!isTheReal || dangerousOptions(name, args).length > 0) return false;
  if (readsForeignSettings(name, cwd, project)) return false;
  return commands.some((each) => isAbout(each, [name, ...args]));
}

/** The calls that `find -exec` and `timeout` make, each of which must be covered. They find their programs like the shell does. */
function partsOf({ file, args, ...rest }: Call): readonly Call[] | undefined {
  const called = (words: readonly string[]): Call => ({
    ...rest,
    file: resolve(file, '..', words[0] ?? ''),
    args: words.slice(1),
  });
  const name = basename(file);
  if (name === 'timeout' && /^\d+$/.test(args[0] ?? '')) return [called(args.slice(1))];
  const at = name === 'find' ? args.indexOf('-exec') : -1;
  // A plus ends the command only after `{}`.
  const end = args.findIndex(
    (each, place) => place > at && (each === ';' || (each === '+' && args[place - 1] === '{}')),
  );
  if (at < 0 || end < 0) return undefined;
  return [called([name, ...args.slice(0, at), ...args.slice(end + 1)]), called(args.slice(at + 1, end))];
}

/** `git log *` matches all calls that start with these words. */
function isAbout(command: string, words: readonly string[]): boolean {
  const named = command.split(' ');
  const isOpen = named.at(-1) === '*';
  const first = isOpen ? named.slice(0, -1) : named;
  return (
    (isOpen ? words.length >= first.length : words.length === first.length) &&
    first.every((each, at) => each === words[at])
  );
}

function shown({ file, args, cwd }: Call): string {
  return `ran ${JSON.stringify([file.split('/').slice(-2).join('/'), ...args])} in ${basename(cwd)}`;
}

/** Under `acceptEdits`, files of the project may be changed by redirection and by these commands. */
const editing: Policy = {
  title: 'acceptEdits',
  options: { mode: 'acceptEdits', rules: [given('allow Bash(ls *)')] },
  violations: ({ calls, missing, changed }, project) => [
    ...calls.filter((call) => !mayEdit(call, project)).map(shown),
    ...missing.map((name) => `${name} (missing)`),
    ...changed.filter(isSetting).map((path) => `changed ${path}`),
  ],
};

function mayEdit(call: Call, project: string): boolean {
  const parts = partsOf(call);
  if (parts) return parts.every((each) => mayEdit(each, project));
  return isFileOperation(call, project) || isCovered(call, ['ls *'], project);
}

function isFileOperation({ file, args, cwd }: Call, project: string): boolean {
  if (!/\/bin\/(?:mkdir|rm|mv|touch|cp)$/.test(file)) return false;
  const operands = args.filter((each) => !/^-[A-Za-z]+$/.test(each) && each !== '--');
  return operands.every((each, at) => {
    const path = resolve(cwd, each);
    // The whole project may be copied into a folder of its own, and a file into the project.
    if (/\/(?:cp|mv)$/.test(file) && path === project)
      return at < operands.length - 1
        ? file.endsWith('/cp')
        : operands.slice(0, -1).every((from) => !isSetting(basename(from)));
    return path.startsWith(`${project}/`) && !isSetting(path.slice(project.length + 1));
  });
}

function isSetting(path: string): boolean {
  return /^(?:\.git|\.turnwire|sub\/(?:HEAD|config|objects|refs))(?:\/|$)/.test(path);
}

/** Rules that deny, next to rules or a mode that allow. */
function denying(title: string, options: Policy['options'], isDenied: readonly Denial[]): Policy {
  return { title, options, violations: (observed, project) => isDenied.flatMap((each) => each(observed, project)) };
}

type Denial = (observed: Observed, project: string) => readonly string[];

/** The traced wrappers do not run their commands. The texts of shells do run, so their calls are recorded. */
const wrapping = /^(?:xargs|env|sudo|nohup|timeout|cpulimit)$/;

/** The programs that were called, and those that wrappers would have called. */
function callsIn({ calls }: Pick<Observed, 'calls'>): readonly Call[] {
  return calls.flatMap((call) => [call, ...callsIn({ calls: calledBy(call) })]);
}

function calledBy({ file, args, ...where }: Call): readonly Call[] {
  const name = basename(file);
  // A wrapper inside another one has no words before its own.
  const starts = wrapping.test(name)
    ? args.map((_, at) => at)
    : name === 'find'
      ? args.flatMap((word, at) => (/^-(?:exec|ok)(?:dir)?$/.test(word) ? [at + 1] : []))
      : [];
  return starts
    .filter((at) => args[at] !== undefined && !(wrapping.test(name) && wrapping.test(basename(args[at] ?? ''))))
    .map((at) => ({ ...where, file: args[at] ?? '', args: args.slice(at + 1) }));
}

function denied(name: string, verb?: string): Denial {
  return (observed) =>
    callsIn(observed)
      .filter(
        ({ file, args }) =>
          basename(file) === name && (verb === undefined || args[name === 'git' ? verbAt(args) : 0] === verb),
      )
      .map(({ file, args }) => `ran ${JSON.stringify([basename(file), ...args])}`);
}

/** Programs that read the files they name. */
const readers =
  /^(?:awk|cat|cp|curl|diff|grep|head|mv|node|python3|rg|rsync|scp|sed|sh|bash|sort|split|tail|tar|tee|wc)$/;

const secretRead: Denial = ({ calls, read, output }, project) => [
  ...read.filter((path) => path === 'secret.txt' || path === '.env').map((path) => `read ${path}`),
  ...(output.includes(secretMark) ? ['printed what a secret file holds'] : []),
  ...callsIn({ calls })
    .filter((call) => call.readsSecret || (readers.test(basename(call.file)) && namesSecret(call, project)))
    .map(shown),
];

/**
 * Whether a word names one of the files, including after `--option=`; after an option letter, `@` and `file:` only if the program supports
 * that.
 */
function namesSecret({ file, args, cwd }: Call, project: string): boolean {
  const secrets = new Set(['secret.txt', '.env', 'link.txt'].map((each) => resolve(project, each)));
  const name = basename(file);
  // The search pattern of `grep`, unless an option contains it.
  const first = name === 'grep' && args.every((each) => !each.startsWith('-')) ? 1 : 0;
  const words = args
    .slice(first)
    .flatMap((each) => [
      each,
      each.replace(/^-*[\w-]*=/, ''),
      ...(/^(?:grep|rg|awk|sed)$/.test(name) ? [each.replace(/^-\w/, '')] : []),
      ...(name === 'curl' ? [each.replace(/^[^@]*@/, ''), each.replace(/^file:\/\//, '')] : []),
    ]);
  return words.some((each) => each !== '' && secrets.has(resolve(cwd, each)));
}

const secretChanged: Denial = ({ calls, changed }, project) => [
  ...changed.filter((path) => path === 'secret.txt' || path === '.env').map((path) => `changed ${path}`),
  ...callsIn({ calls })
    .filter((call) => /^(?:cp|mv|rm|tee|touch)$/.test(basename(call.file)) && namesSecret(call, project))
    .map(shown),
];

const bypass = 'bypassPermissions';
const noCommands = ['deny Bash(git push *)', 'deny Bash(npm publish *)', 'deny Bash(rm *)', 'deny Bash(evil *)'].map(
  given,
);
const deniedCommands = [denied('git', 'push'), denied('npm', 'publish'), denied('rm'), denied('evil')];
const broad = listed(`
git *, npm *, cat *, echo *, ls *, find *, grep *, printf *, head *, sort *, cp *, curl *
`);
const noReads = ['deny Read(secret.txt)', 'deny Read(.env)'].map(given);
const noEdits = ['deny Edit(secret.txt)', 'deny Edit(.env)'].map(given);

export const policies: readonly Policy[] = [
  allowing('rules for commands and a folder', [...reading, ...building, ...shell], ['out']),
  editing,
  denying('bypassPermissions without certain commands', { mode: bypass, rules: noCommands }, deniedCommands),
  denying('bypassPermissions without reading secrets', { mode: bypass, rules: noReads }, [secretRead]),
  denying('bypassPermissions without changing secrets', { mode: bypass, rules: noEdits }, [secretChanged]),
  denying(
    'broad rules without certain commands and reading secrets',
    { rules: [...broad.map((each) => given(`allow Bash(${each})`)), ...noCommands, ...noReads] },
    [...deniedCommands, secretRead],
  ),
];

/** Settings under which nothing may run. */
export const prohibitions: readonly { readonly title: string; readonly options: Policy['options'] }[] = [
  { title: 'nothing allowed and nobody asked', options: { otherwise: 'deny' } },
  {
    title: 'the mode plan beside rules for all',
    options: { mode: 'plan', rules: ['allow Bash', 'allow Edit'].map(given) },
  },
];
