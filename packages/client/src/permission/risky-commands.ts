import { basename } from 'node:path/posix';
import type { ShellWord } from './shell-word.ts';

function set(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Shells: with `-c` and a text that is known, that text is read instead. */
const shells = set('sh bash zsh dash ksh mksh ash');

/** Commands whose words may be another command, or that change what later words mean. */
const wrappers = set(`
  . alias ash bash bind builtin busybox bwrap chroot chrt command complete coproc dash doas docker enable entr env eval exec expect
  fakeroot firejail fish flock foreach gdb hash ionice kubectl ksh lldb ltrace mksh nice nocorrect noglob nohup nsenter parallel
  perf pkexec podman popd proot pushd repeat rlwrap runuser screen script setarch setpriv setsid sh shopt source ssh stdbuf
  strace su sudo systemd-run taskset time timeout tmux torsocks trap trickle tsocks unbuffer unshare valgrind watch watchexec xargs
  xvfb-run zsh cmd cmd.exe powershell powershell.exe pwsh wsl`);

/** Commands that run programs written on the line or in a file. */
const interpreters = set(`
  awk bun bunx deno elixir erl gawk ghci groovy julia jshell lua make mawk nawk node npx perl php pnpx pypy pypy3 python python2
  python3 R Rscript rake ruby scala sed sqlite3 tclsh ts-node tsx uv uvx vim vi ed emacs`);

/** Options with which an otherwise tame command runs another, or writes where it is told. */
const options: Readonly<Record<string, readonly string[]>> = {
  find: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'],
  fd: ['-x', '-X', '--exec', '--exec-batch'],
  git: [
    ...[
      '-c',
      '--config-env',
      '--exec-path',
      '--upload-pack',
      '--receive-pack',
      '--output',
      '-O',
      '--open-files-in-pager',
    ],
    ...['--ext-diff', '--exec', '--extcmd', '-x', 'foreach', 'filter-branch'],
    // Verbs that run what follows, or set what later runs.
    ...['run', 'config'],
  ],
  rg: ['--pre', '--hostname-bin'],
  rsync: ['-e', '--rsh', '--rsync-path'],
  scp: ['-o', '-S'],
  sort: ['-o', '--output', '--compress-program'],
  tar: ['--checkpoint-action', '--to-command', '--use-compress-program', '-I', '--info-script', '-F'],
};

export function isShell(name: string): boolean {
  return shells.has(basename(name));
}

export function isWrapper(name: string): boolean {
  return wrappers.has(basename(name));
}

export function isInterpreter(name: string): boolean {
  return interpreters.has(basename(name));
}

/** The options of a command that a rule has to name; undefined if one is computed, so that it cannot be told. */
export function riskyOptions(words: readonly ShellWord[]): readonly string[] | undefined {
  const known = options[basename(words[0]?.value ?? '')];
  if (!known) return [];
  const found: string[] = [];
  for (const [at, { value, kind, text }] of words.entries()) {
    const risky = known.find((option) => isOption(value, option));
    if (risky) found.push(risky);
    else if (kind === 'computed' && /^["']?[$`{<>]/.test(text) && words[at - 1]?.value !== '-m') return undefined;
  }
  return found;
}

/** `-ox`, `--output=x` and, since options may be shortened, `--outp=x`. */
function isOption(word: string, option: string): boolean {
  if (word === option) return true;
  if (option.startsWith('--')) {
    const [name = ''] = word.split('=', 1);
    return name.length > 4 && option.startsWith(name);
  }
  return /^-[A-Za-z]$/.test(option) && word.startsWith(option);
}

/** Variables that may be set without changing which programs run. Names without an underscore in lower case are nobody's settings. */
export function isHarmlessVariable(name: string): boolean {
  return (
    /^(?:[a-z][a-z0-9]*|CI|COLUMNS|DEBUG|FORCE_COLOR|LANG|LC_[A-Z]+|LINES|NODE_ENV|NO_COLOR|RUST_BACKTRACE|RUST_LOG|TERM|TZ)$/.test(
      name,
    ) && name !== 'path' // zsh's PATH
  );
}

/** `git -C folder push` as `git push`: the options before the verb of a command left out, for rules that deny. */
export function withoutGlobalOptions(words: readonly string[]): readonly string[] {
  const [name = '', ...rest] = words;
  if (basename(name) !== 'git') return words;
  let at = 0;
  while (rest[at]?.startsWith('-'))
    at += /^(?:-[cC]|--(?:git-dir|work-tree|namespace|config-env|exec-path|super-prefix))$/.test(rest[at] ?? '')
      ? 2
      : 1;
  return [name, ...rest.slice(at)];
}
