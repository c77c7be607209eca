import { basename } from 'node:path/posix';

function set(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Shells. With `-c` and a known text, that text is parsed instead. */
const shells = set('sh bash zsh dash ksh mksh ash');

/** Commands whose words may be another command, or that change the meaning of later words. */
const wrappers = set(`
  . alias ash at bash batch bind builtin busybox bwrap chroot chrt command complete coproc crontab dash doas docker enable entr env eval exec expect
  fakeroot firejail fish flock foreach gdb hash history ionice kubectl ksh lldb ltrace mksh nice nocorrect noglob nohup nsenter parallel
  perf pkexec podman popd proot pushd repeat rlwrap runuser screen script setarch setpriv setsid sh shopt source ssh stdbuf
  strace su sudo systemd-run taskset time timeout tmux torsocks trap trickle tsocks unbuffer unshare valgrind watch watchexec xargs
  xvfb-run zsh cmd cmd.exe powershell powershell.exe pwsh wsl`);

/** Commands that run programs written on the line or in a file. */
const interpreters = set(`
  awk bun bunx deno elixir erl gawk ghci groovy julia jshell lua make mawk nawk node npx perl php pnpx pypy pypy3 python python2
  python3 R Rscript rake ruby scala sed sqlite3 tclsh ts-node tsx uv uvx vim vi ed emacs`);

/** Commands that read and change only their named arguments, in any folder, and run nothing. Their options are harmless, or in a table. */
const plain = set(`
  : [ basename cat cd chgrp chmod chown cksum cmp comm cp cut date dd df diff dirname du echo egrep exit expand expr false fd fgrep file
  find fold grep head hexdump id install join jq kill ln ls md5sum mkdir mv nl od paste printf pwd readlink realpath return rev rg rm
  rmdir seq sha1sum sha256sum sha512sum shasum sleep sort split stat strings sum tac tail tee test touch tr tree true truncate tsort
  type umask uname uniq unlink wait wc which whoami xxd yes`);

/** Plain commands that do not read the content of files. */
const contentless = set(`
  : [ basename cd chgrp chmod chown date df dirname du echo exit expr false find id kill ls mkdir printf pwd readlink realpath return
  rmdir seq sleep stat test touch tree true type umask uname wait which whoami yes`);

export function isShell(name: string): boolean {
  return shells.has(basename(name));
}

export function isWrapper(name: string): boolean {
  return wrappers.has(basename(name));
}

export function isInterpreter(name: string): boolean {
  return interpreters.has(basename(name));
}

/** Commands that change the files they name. */
const changing = set(`
  chgrp chmod chown cp dd install ln mkdir mv patch rm rmdir rsync sed shred split tee touch truncate unlink`);

/** Whether a command changes files that it names. */
export function changesFiles(name: string): boolean {
  return changing.has(basename(name));
}

/** Whether a command runs nothing and reads no configuration from its working directory. */
export function isPlain(name: string): boolean {
  return plain.has(basename(name));
}

/** Whether a command does not read the content of files. */
export function isContentless(name: string): boolean {
  return contentless.has(basename(name));
}

/** Whether a variable cannot change which programs run. Lower-case names without an underscore are not settings of programs. */
export function isHarmlessVariable(name: string): boolean {
  return (
    /^(?:[a-z][a-z0-9]*|(?:APP|NEXT_PUBLIC|REACT_APP|TEST|VITE)_\w+|API_URL|BASE_URL|FOO|BAR|BAZ|HOST|LOG_LEVEL|PORT|SEED|VERBOSE|CI|COLUMNS|DEBUG|FORCE_COLOR|LANG|LC_[A-Z]+|LINES|NODE_ENV|NO_COLOR|RUST_BACKTRACE|RUST_LOG|TERM|TZ)$/.test(
      name,
    ) && !/^(?:cd|f)?path$/.test(name) // Those of zsh decide which programs run.
  );
}

/** `git -C folder push` as `git push`: removes the options before the verb, for rules that deny. */
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
