import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judging, temporaryFolder } from './project.ts';

function git(folder: string, ...words: readonly string[]): string {
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'core.hooksPath=/dev/null'];
  return execFileSync('git', [...settings, '-C', folder, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** A repository of two commits, with these files in its index. */
function repository(...tracked: readonly string[]): string {
  const folder = join(temporaryFolder(), 'project');
  for (const each of ['src', 'sub/deep', 'secrets', 'empty']) mkdirSync(join(folder, each), { recursive: true });
  for (const each of ['src/a.ts', 'b', 'sub/deep/c', ...tracked]) writeFileSync(join(folder, each), `SECRET=${each}\n`);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message=first');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=second');
  return folder;
}

/** The lines that run without a question if only these files have denied reads. */
function letRun(folder: string, lines: string, ...denied: readonly string[]): readonly string[] {
  return letRunWith(
    folder,
    lines,
    (denied.length > 0 ? denied : ['.env']).map((file) => `deny Read(${file})`),
  );
}

function letRunWith(folder: string, lines: string, rules: readonly string[]): readonly string[] {
  const judge = judging(folder, rules, 'bypassPermissions');
  return linesOf(lines).filter((line) => judge(line).effect === 'allow');
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const named = String.raw`
  git show HEAD:.env
  git show HEAD:./.env
  git show HEAD~1:sub/../.env
  git show 'HEAD^{tree}:.env'
  git show :.env
  git show :0:.env
  git cat-file -p HEAD:.env
  git cat-file blob main:.env
  git cat-file --textconv HEAD:.env
  git -C sub show HEAD:.env
  git log -p -- .env
  git log -p -- '*.env'
  git log -p -- *.env
  git log -p -- ':(top).env'
  git log -p -- ':/.env'
  git log -p -- ':(icase).ENV'
  git log -L1,1:.env
  git diff HEAD~1 -- .env
  git diff -- '*env'
  git diff HEAD~1:.env HEAD:.env
  git show HEAD -- '[.]env'
  git blame HEAD~1 -- .env
  git grep SECRET HEAD -- '.e*'
  git archive HEAD .env
`;

const unnamed = String.raw`
  git archive HEAD
  git archive --format=tar HEAD | tar x -O
  git fast-export HEAD
  git bundle create - HEAD
  git grep SECRET HEAD
  git grep -h -e SECRET HEAD~1
  git grep -e src HEAD
  git grep -f b
  git grep -f b -- .
  git grep --no-index SECRET
  git diff --no-index empty .
  git diff empty .
  git cat-file --batch < list
  echo HEAD:.env | git cat-file --batch
  echo HEAD:.env | git show --stdin
  printf .env | git log -p --pathspec-from-file=-
  git cat-file -p 0123abcd
  git unpack-file 0123abcd
`;

const ofTracked = String.raw`
  git grep SECRET
  git grep -e src
  git --no-pager log -p
  git log --patch -3
  git log -U0
  git log -p -- . ':!src'
  git log -p ':/first'
  git whatchanged -p
  git reflog -p
  git stash show -p
  git format-patch -1 --stdout
  git worktree add ../other
  git clone . ../other
  git checkout-index --all --prefix=other/
`;

test('reading a file with denied reads from the history of git needs approval', () => {
  expect(letRun(repository('.env'), named + unnamed + ofTracked)).toEqual([]);
});

test('so is a file that git no longer tracks, by its name, by a pattern or as part of a whole commit', () => {
  const folder = repository('.env');
  git(folder, 'rm', '--quiet', '--cached', '.env');
  git(folder, 'commit', '--quiet', '--message=third');
  expect(letRun(folder, named + unnamed)).toEqual([]);
});

test('names in commits start at the repository root, even if the session is in a subfolder', () => {
  const folder = join(repository('.env', 'sub/deep/key'), 'sub');
  const lines = `git show HEAD:sub/deep/key
    git cat-file -p :sub/deep/key
    git log -p -- :/sub/deep/key
    git log -p -- ':(top)sub/d*/key'`;
  expect(letRun(folder, lines, 'deep/key')).toEqual([]);
});

test('reading the content of a tracked file by its hash needs approval', () => {
  const folder = repository('.env');
  const id = git(folder, 'rev-parse', 'HEAD:.env');
  const other = git(folder, 'rev-parse', 'HEAD:b');
  const lines = [`git show ${id}`, `git show ${id.slice(0, 7)}`, `git diff ${other} ${id}`, `git cat-file -p ${id}`];
  expect(letRun(folder, lines.join('\n'))).toEqual([]);
  expect(letRun(folder, `git show ${other}`)).toEqual([`git show ${other}`]);
});

const everyday = String.raw`
  git log
  git log --oneline -10
  git log --stat -- .
  git log --author=env -- src
  git log -p -3 -- src
  git log -p -- '*.ts'
  git diff
  git diff --stat HEAD~1
  git diff HEAD~1
  git diff HEAD -- src/a.ts
  git diff -- '*.ts'
  git diff main...HEAD
  git status
  git status --short
  git show
  git show HEAD
  git show --stat HEAD~1
  git show HEAD:src/a.ts
  git show HEAD:src
  git blame src/a.ts
  git grep -n SECRET -- src
  git grep -n SECRET HEAD -- '*.ts'
  git cat-file -t HEAD
  git cat-file -p HEAD
  git add -A && git commit -m 'read HEAD:.env no more'
  git checkout -b topic
  git checkout main && cat src/a.ts
  git stash && cat src/*.ts; git stash pop
  git stash -u
  git pull --rebase && head b
  git ls-files '*.env.example'
  git clone https://example.com/x.git ../x
  git worktree list
`;

test('everyday git commands that do not name a denied file need no approval, even if git tracks it', () => {
  expect(letRun(repository('.env'), everyday)).toEqual(linesOf(everyday));
});

test('a git command that could only find a denied file if it were tracked needs no approval if it is untracked', () => {
  const folder = repository();
  writeFileSync(join(folder, '.env'), 'SECRET=1');
  expect(letRun(folder, ofTracked)).toEqual(linesOf(ofTracked));
});

test.each(['2', '3', '4'])('tracked files are found in an index of version %s', (version) => {
  const folder = repository('sub/.env', 'secrets/k');
  // Such an entry turns version 2 into version 3.
  writeFileSync(join(folder, 'later'), '');
  git(folder, 'add', '--intent-to-add', 'later');
  git(folder, 'update-index', '--index-version', version === '4' ? '4' : '2');
  if (version === '2') git(folder, 'reset', '--quiet');
  const lines = 'git log -p -- sub\ngit log -p -- src\ngit log -p -- secrets';
  expect(letRun(folder, lines)).toEqual(['git log -p -- src', 'git log -p -- secrets']);
});

test('a rule that denies changes covers tracked files in folders that git restores', () => {
  const folder = repository();
  const rules = ['deny Edit(src/**)'];
  expect(letRunWith(folder, 'git checkout HEAD~1 -- .\ngit restore .\ngit restore -s main .', rules)).toEqual([]);
  const others = 'git checkout main\ngit restore sub\ngit stash\ngit pull\ngit checkout -b src2\ngit add .';
  expect(letRunWith(folder, others, rules)).toEqual(linesOf(others));
});

test('the index of a worktree is found, and an unreadable index is a doubt', () => {
  const folder = repository('.env');
  const other = join(folder, '..', 'other');
  git(folder, 'worktree', 'add', '--quiet', other);
  expect(letRun(other, 'git log -p\ngit log -p -- src')).toEqual(['git log -p -- src']);
  writeFileSync(join(folder, '.git/index'), 'DIRC');
  expect(letRun(folder, 'git log -p\ngit log')).toEqual(['git log']);
  rmSync(join(folder, '.git/index'));
  expect(letRun(folder, 'git log -p')).toEqual([]);
  const fresh = join(temporaryFolder(), 'fresh');
  mkdirSync(fresh);
  git(fresh, 'init', '--quiet');
  expect(letRun(fresh, 'git log -p')).toEqual(['git log -p']);
});

test('a SHA-256 index and a split index are doubts too, even if hardly anything of them is readable', () => {
  const split = repository('.env');
  git(split, 'update-index', '--split-index');
  const longer = join(temporaryFolder(), 'longer');
  mkdirSync(longer);
  git(longer, 'init', '--quiet', '--object-format=sha256');
  writeFileSync(join(longer, '.env'), 'SECRET');
  writeFileSync(join(longer, 'a'), '');
  git(longer, 'add', '--all');
  expect([letRun(split, 'git log -p'), letRun(longer, 'git log -p')]).toEqual([[], []]);
});

test('a pattern is also compared with files that the same line creates', () => {
  const lines = String.raw`
    git checkout HEAD~1 -- . && cat .e*
    git checkout HEAD~1 -- . && find . -name '.e*' -exec cat {} +
    git checkout HEAD~1 -- . && find . -iname '.E*' -exec cat {} +
    git checkout HEAD~1 -- . && find . -type f -exec cat {} +
    git stash pop; grep -r SECRET .
    tar xf a.tar && find sub -name '*env' -exec cat {} +
    unzip -q a.zip; head sub/.e*
    gunzip x.gz && cat [.]env
    cp b .env2 && cp .env2 sub/.env && cat sub/.e*
    gpg -d x > .env; find -name '.e*' -exec cat {} +
    touch .env; mv b .env; find . -name '.en?' -exec cat {} \;
  `;
  expect(letRun(repository(), lines)).toEqual([]);
  const others = String.raw`
    git checkout HEAD~1 -- . && find . -name '*.ts' -exec cat {} +
    git stash pop; cat src/*.ts
    tar xf a.tar && find . -name '*.json' -exec wc -l {} +
    npm run build; grep -rn foo src
    echo x > out.txt; find . -name '*.txt' -exec cat {} +
  `;
  expect(letRun(repository(), others)).toEqual(linesOf(others));
});

test('find matches names after the effects of its earlier actions, in any case, and inside folders', () => {
  const folder = repository();
  for (const each of ['.env', 'secrets/.env']) writeFileSync(join(folder, each), '');
  const lines = String.raw`
    find . -iname '.ENV' -exec cat {} +
    find . -exec cat {} + -name b
    find . -name 'sec*' -exec grep -r SECRET {} +
    find . -name b -o -exec cat {} +
    find . -name '.e*' -execdir cat {} +
    find -L . -name b -exec cat {} +
    find -files0-from list -name b -exec cat {} +
  `;
  expect(letRun(folder, lines)).toEqual([]);
  const others = String.raw`
    find . -name '*.ts' -exec wc -l {} \;
    find . -iname '*.TS' -exec grep -l foo {} +
    find . -name b -execdir cat {} +
    find sub -type f -exec cat {} +
  `;
  expect(letRun(folder, others)).toEqual(linesOf(others));
});
