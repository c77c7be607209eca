/** The options of a program according to its manual, written independently, so that the tables are not compared with themselves. */
interface Manual {
  /** Letters that take a value, attached or as the next word. */
  readonly valued: string;
  /** Letters that run a program or write a file. */
  readonly letters: string;
  /** Long names that do so; prefixes of them count too. */
  readonly long: readonly string[];
  /** Whole words that do so, such as `-exec`. */
  readonly words?: readonly string[];
  /** Whether the first word is a bundle of letters, even without `-`. */
  readonly isBundled?: true;
}

const nothing: Manual = { valued: '', letters: '', long: [] };
const diffs: Manual = { valued: 'nOSGUlML', letters: '', long: ['output', 'ext-diff'] };

const verbs: Readonly<Record<string, Manual>> = {
  log: diffs,
  diff: diffs,
  show: diffs,
  grep: { valued: 'efABCm', letters: 'O', long: ['open-files-in-pager'] },
  clone: { valued: 'objcu', letters: 'uc', long: ['upload-pack', 'config', 'template'] },
  fetch: { valued: 'jo', letters: '', long: ['upload-pack'] },
  push: { valued: 'o', letters: '', long: ['receive-pack', 'exec'] },
  rebase: { valued: 'xsXCS', letters: 'x', long: ['exec'] },
  archive: { valued: 'o', letters: 'o', long: ['output', 'exec'] },
  difftool: { valued: 'xt', letters: 'x', long: ['extcmd'] },
};

const manuals: Readonly<Record<string, Manual>> = {
  find: {
    ...nothing,
    words: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'],
  },
  sort: { valued: 'kStTo', letters: 'o', long: ['output', 'compress-program'] },
  tar: {
    valued: 'fbCgHKLNTVXIF',
    letters: 'IF',
    long: [
      ...['use-compress-program', 'to-command', 'checkpoint-action', 'info-script', 'new-volume-script'],
      ...['rsh-command', 'rmt-command'],
    ],
    isBundled: true,
  },
  scp: { valued: 'cDFiJloPSX', letters: 'SoDF', long: [] },
  rsync: { valued: 'eBMTf@', letters: 'e', long: ['rsh', 'rsync-path'] },
  rg: { valued: 'ABCEefgjmMrtT', letters: '', long: [], words: ['--pre', '--hostname-bin'] },
  split: { valued: 'abCln', letters: '', long: ['filter'] },
  npm: { valued: '', letters: '', long: ['script-shell'] },
};

/** The words of a call that make a program run another one, or write to a named file. */
export function dangerousOptions(name: string, args: readonly string[]): readonly string[] {
  if (name === 'git') return dangerousForGit(args);
  return dangerous(args, manuals[name] ?? nothing);
}

function dangerousForGit(args: readonly string[]): readonly string[] {
  const at = verbAt(args);
  const verb = args[at] ?? '';
  const global = args.slice(0, at).filter((each) => /^(?:-c|--config-env.*|--exec-path=.*)$/.test(each));
  const always = verb === 'config' || verb === 'filter-branch' || (verb === 'bisect' && args.includes('run'));
  return [...global, ...(always ? [verb] : []), ...dangerous(args.slice(at + 1), verbs[verb] ?? nothing)];
}

/** The index of the verb among the words after `git`. */
export function verbAt(args: readonly string[]): number {
  let at = 0;
  while (args[at]?.startsWith('-'))
    at += /^(?:-[cC]|--(?:git-dir|work-tree|namespace|config-env))$/.test(args[at] ?? '') ? 2 : 1;
  return at;
}

function dangerous(args: readonly string[], manual: Manual): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') break;
    const isCluster = /^-[^-]/.test(word) || (manual.isBundled === true && at === 0);
    if (manual.words?.includes(word.split('=', 1)[0] ?? '') || isDangerousName(word, manual)) found.push(word);
    else if (isCluster && !manual.words) {
      const letters = word.replace(/^-/, '');
      const end = letters.split('').findIndex((letter) => manual.valued.includes(letter));
      const seen = end < 0 || manual.isBundled === true ? letters : letters.slice(0, end + 1);
      if (seen.split('').some((letter) => manual.letters.includes(letter))) found.push(word);
      if (end >= 0 && end === letters.length - 1) at++;
    }
  }
  return found;
}

function isDangerousName(word: string, { long }: Manual): boolean {
  const [name = ''] = word.split('=', 1);
  return name.length > 2 && name.startsWith('--') && long.some((each) => `--${each}`.startsWith(name));
}
