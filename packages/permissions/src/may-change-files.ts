import { basename } from 'node:path/posix';
import { hasRiskyOptions } from './command-options.ts';
import type { ShellWord } from './shell-word.ts';

/** Commands that always or with some options write into the named files, replace them, or create files next to them. */
const writers: ReadonlySet<string> = new Set(
  (
    '7z ar bsdtar bunzip2 bzip2 cpio csplit dos2unix ed emacs ex fallocate gunzip gzip mkfifo mknod mktemp nano objcopy pax rename scp script sponge sqlite3 ssh-keygen strip tar uniq unix2dos unxz ' +
    'unzip unzstd vi vim xxd xz zip zstd'
  ).split(' '),
);

/** Verbs of git that change files of the working tree. */
const gitVerbs: ReadonlySet<string> = new Set(
  'am apply checkout checkout-index clean clone mv reset restore rm stash switch worktree'.split(' '),
);

/** Whether a command may change the files it names: for rules that deny. */
export function mayChangeFiles(words: readonly ShellWord[]): boolean {
  const [name, ...rest] = words.map(({ value }) => value);
  const program = basename(name ?? '');
  return (
    writers.has(program) ||
    (program === 'git' && rest.some((word) => gitVerbs.has(word))) ||
    (/^g?awk$/.test(program) && rest.includes('inplace')) ||
    (program === 'perl' && rest.some((word) => /^-\w*i/.test(word))) ||
    hasRiskyOptions(words)
  );
}
