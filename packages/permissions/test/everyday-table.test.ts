import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judging, project } from './project.ts';

/** Rules of a user who works on a JavaScript project and wants questions about changes outside the project. */
const rules = String.raw`
npm run *, npm test *, npm test, npx tsc *, npx vitest run *, git status *, git status, git log *, git diff *, git diff,
git show *, git add *, git commit *, git branch *, git ls-files *, git ls-files, git blame *, git fetch *, git bisect *, ls *, ls, cat:*,
head:*, tail:*, wc:*, sort:*, grep *, rg *, find *, sed -n *, diff *, echo *, export *
`
  .split(',')
  .map((each) => `allow Bash(${each.trim()})`);

/** Lines that these rules are meant to allow. */
const allowed = String.raw`
git status
git status -uall
git status -sb
git status --short --branch
git status -uno --porcelain=v2
git --no-pager log --oneline -5
git --no-pager diff HEAD~1
git -P show --stat
git -C . log -3
git -C src log --oneline -- .
git log --oneline -10
git log --since=2.weeks --author=me --stat
git log -S foo -- src
git log --graph --all --decorate | head -40
git diff
git diff --stat main...HEAD
git diff HEAD -- src/a.ts | head -100
git diff --cached --name-only
git show HEAD:src/a.ts | sed -n '1,40p'
git show --name-only HEAD
git add src/a.ts
git add -A && git commit -m "a change"
git commit --amend --no-edit
git branch -vv
git branch --show-current
git ls-files
git ls-files src | wc -l
git ls-files -m -o --exclude-standard
git blame -L 10,20 src/a.ts
git fetch origin --prune
git bisect start HEAD HEAD~5
git bisect good
npm test
npm test -- src/a.test.ts
npm run build
npm run test 2>&1 | tail -20
npm run lint -- --fix
npm run build && npm test
npm run build || echo failed
npm run test > /dev/null 2>&1; echo $?
timeout 60 npm run test
timeout -k 5 2m npm run test 2>&1 | tail -5
timeout --signal=KILL 30s npm test
nice -n 10 npm run build
nice npm run build
NODE_OPTIONS=--max-old-space-size=4096 npm run test
NODE_OPTIONS="--max-old-space-size=4096 --no-warnings" npm run build
NODE_ENV=production npm run build
CI=1 npm test
FORCE_COLOR=0 npm run lint
PORT=3001 npm run start
TEST_TIMEOUT=5 npm test
VITE_API_URL=http://localhost npm run build
export FOO=bar; npm run test
export CI=1 NODE_ENV=test && npm test
export PORT=3000; echo "$PORT"
npx tsc --noEmit
npx tsc -p . | head
npx vitest run src
npx vitest run --reporter=dot 2>&1 | tail -30
npx vitest run src -t name
echo $((1+2))
echo "$((60 * 60)) seconds"
echo $((1024*1024/8))
echo hello
echo "$HOME" "$USER"
echo "at $(git log -1 --oneline)"
ls
ls -la src
ls -R src | head -20
ls *.json
ls src/*.ts | wc -l
cat package.json
cat src/a.ts src/b.ts
cat src/*.ts | wc -l
cat $(git ls-files | head -1)
cat < a
head -n 20 src/a.ts
tail -n +5 src/a.ts
tail -5 a
wc -l src/*.ts
wc -l "src/$f"
wc -l $(git ls-files src)
sort a | head
sort -u -k2 a
grep -rn foo src
grep -c . package.json
grep -E "a|b" -A 3 src/a.ts
grep -rln foo src | head -3
grep -v '^#' a | sort
rg -n foo src
rg --files -g '*.ts' | head
find . -name "*.ts"
find src -type f -name '*.ts' -exec grep -l foo {} +
find . -name '*.ts' -exec wc -l {} \;
find src -newer a -print
find . -maxdepth 2 -type d | sort
find . -name '*.ts' -not -path './node_modules/*' | wc -l
sed -n '1,40p' src/a.ts
sed -n '/foo/,/bar/p' src/a.ts
sed -n '$p' a
diff a src/a.ts
diff <(git show HEAD:src/a.ts) src/a.ts
diff -u a src/a.ts | head -40
for f in src/*.ts; do echo "$f"; wc -l "$f"; done
if grep -q foo a; then echo yes; fi
cd src && ls && cat a.ts
cd src && git status
cd src && git log --oneline -3 -- .
cd src && sed -n 1,5p a.ts
`
  .trim()
  .split('\n');

/** Lines that these rules do not allow, each for a reason that a user would give. */
const asked = String.raw`
cd src && npm run test
npm publish
npm install left-pad
git push origin main
git checkout main
git -C /tmp log
git -C ../outside status
git -c core.pager=./evil log
git --git-dir=src log
git --no-pager -c alias.x=push x
timeout 60 npm install x
timeout 60 ./evil
timeout npm run test
nice -n 5 ./evil
nice ./evil
NODE_OPTIONS=--require=./evil.js npm run test
NODE_OPTIONS="--max-old-space-size=1 --import ./evil.js" npm test
NODE_OPTIONS=$x npm test
PATH=. npm test
export PATH=src; git status
export NODE_OPTIONS=--require=./evil.js; npm test
echo $((x + 1))
echo $((a[$(./evil)]))
find . -exec ./evil {} +
find . -exec sh -c 'cat {}' \;
find . -exec sed -n {} a \;
find . -exec grep -l{} a \;
find . -exec {} \;
find . -execdir cat {} +
find . -delete
find . -exec grep -l foo {} + -exec rm {} +
sed -n '1e ./evil' a
sed -i s/a/b/ a
diff <(./evil) a
cat $(./evil)
sort -o a a
rm -rf src
`
  .trim()
  .split('\n');

function verdicts(
  lines: readonly string[],
  more: readonly string[] = [],
  files: readonly string[] = [],
): Readonly<Record<string, string>> {
  const cwd = project();
  for (const name of ['package.json', 'a', 'evil', 'src/b.ts', ...files]) writeFileSync(join(cwd, name), '');
  mkdirSync(join(cwd, 'src/x'));
  const judge = judging(cwd, [...rules, ...more]);
  return Object.fromEntries(lines.map((command) => [command, judge({ command, cwd, shell: 'bash' }).effect]));
}

function all(lines: readonly string[], effect: string): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map((line) => [line, effect]));
}

test('33 rules of a user allow the lines of a working day', () => {
  expect([rules.length, verdicts(allowed)]).toEqual([33, all(allowed, 'allow')]);
});

test('the same rules allow none of the lines that do more', () => {
  expect(verdicts(asked)).toEqual(all(asked, 'ask'));
});

/** Words that may become any file: the output of another command, or a variable. */
const unknown = ['cat $(git ls-files | head -1)', 'wc -l "src/$f"', 'wc -l $(git ls-files src)'];

test('a rule that denies reading one file does not ask about lines that cannot read it', () => {
  const found = verdicts(allowed, ['deny Read(.env)'], ['.env']);
  const questions = Object.keys(found).filter((line) => found[line] !== 'allow');
  expect(questions).toEqual(unknown);
});
