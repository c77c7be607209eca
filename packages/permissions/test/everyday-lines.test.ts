import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPermissions } from '../src/index.ts';
import { action, given, project } from './project.ts';

/** Rules of users who want fewer questions. */
const rules = String.raw`
npm test, npm test *, npm run *, npx tsc *, npx vitest *, make, make *, cargo test *, go test *, git status,
git status *, git diff, git diff *, git log *, git show *, git add *, git commit *, git branch, git rev-parse *,
git ls-files *, git grep *, git stash list, git fetch *, git push origin *, ls, ls *, cat, cat *, grep *, rg *,
head *, head, tail, tail *, wc *, wc, sort, sort *, uniq *, uniq, cut *, tr *, echo *, printf *, pwd, which *,
find *, diff *, jq *, date, date *, stat *, file *, mkdir *, touch *, cp *, mv *, rm *, sed -n *, awk *, node *,
python3 *, xargs grep *, test *, [ *, true, sleep *, curl *, tar *, basename *, dirname *, tee *, du *, df *,
tree *, ps *, export *, set *, read *
`
  .split(',')
  .map((each) => `allow Bash(${each.trim()})`);

/** Lines that every shell reads alike. */
const plain: readonly string[] = [
  ...String.raw`
npm test
npm test -- --run src/a.test.ts
npm run build
npm run lint 2>&1 | tail -20
npx tsc --noEmit -p .
npx vitest run packages/client 2>&1 | tail -30
make
make -j4 test
cargo test --workspace
go test ./...
npm run build && npm test
npm test || echo failed
npm test; echo "exit $?"
npm test > /dev/null 2>&1
CI=1 npm test
NODE_ENV=test npm run build
export CI=1; npm test
set -e; npm run build; npm test
git status
git status --short
git status && git diff
git diff --stat HEAD~3
git diff -- src/a.ts
git log --oneline -10
git log -p -3 -- src
git log --format="%h %an %s" main..HEAD
git show HEAD:src/a.ts
git show --stat
git add -A && git commit -m "it works"
git commit -m 'first line' -m 'second line'
git branch
git rev-parse --abbrev-ref HEAD
git ls-files '*.ts' | wc -l
git grep -n foo -- src
git stash list
git fetch origin
git push origin main
git diff | head -100
ls
ls -la
ls -la | sort
ls src/*.ts
ls -la src 2>/dev/null
ls -R src | head -50
ls *.txt | wc -l
cat src/a.ts
cat src/a.ts | head -20
cat src/*.ts
cat src/a.ts src/deep/b.ts | wc -l
cat < src/a.ts
grep -rn foo src | head
grep -rn "foo bar" --include="*.ts" .
grep -E 'a|b' src/a.ts
grep -c foo src/*.ts
rg -n foo src
rg -l 'foo\(' -g '*.ts'
rg --files | head
grep -rln foo src | xargs grep -n bar
head -n 50 src/a.ts
tail -n 20 src/a.ts
tail -5 log.txt
wc -l src/*.ts
sort a.txt | uniq -c | sort -rn | head
sort -u a.txt
sort -t, -k2 a.txt
cut -d: -f1 a.txt | sort -u
cat a.txt | tr 'a-z' 'A-Z'
sort -rn a.txt
echo hello
echo "$HOME"
echo "$?"
echo done
printf "%s\n" a b
pwd
which node
pwd && ls
find . -name "*.ts"
find src -type f -name '*.test.ts' | head
find . -maxdepth 2 -type d
find . -newer a.txt
find . -name node_modules -prune -o -name '*.ts' -print
diff a.txt src/a.ts
jq .name package.json
jq -r '.scripts | keys[]' package.json
date
date +%s
stat src/a.ts
file src/a.ts
du -sh src
tree -L 2
mkdir -p src/new
touch src/new.ts
cp src/a.ts src/b.ts
mv src/b.ts src/c.ts
rm src/c.ts
rm -rf build
sed -n '1,40p' src/a.ts
awk '{print $1}' a.txt
node script.mjs
python3 script.py --x
test -f a.txt && cat a.txt
[ -d src ] && ls src
[ -f a.txt ] || echo none
if [ -f a.txt ]; then cat a.txt; else echo none; fi
for f in a b c; do echo "$f"; done
for f in src/*.ts; do echo "$f"; wc -l "$f"; done
sleep 1; ls
true
curl -s http://localhost:3000/health
curl -sS -H "Accept: text/plain" http://localhost:3000/
tar -tzf x.tgz
tar -czf x.tgz src
tar -xzf x.tgz
basename src/a.ts
npm test 2>&1 | tee /dev/null | tail
ps aux | grep node
x=$(git rev-parse HEAD); echo "$x"
echo "at $(git rev-parse HEAD)"
cd src && ls
cd src && git status
cd src && git log --oneline -3 -- .
cd src && cat a.ts
cd src && grep -n foo a.ts | head
(cd src && ls)
cd src; pwd
cd src && wc -l *.ts
ls # what is here
cat a.txt | while read -r l; do echo "$l"; done
ls & wc -l a.txt
! grep -q foo src/a.ts
{ ls; pwd; }
`
    .trim()
    .split('\n'),
  'git commit -m "two\n\nlines"',
  '# a comment\nls',
  'ls \\\n  -la',
  'echo a\necho b',
  "cat <<'EOF'\nsome text\nEOF",
  'cat <<EOF\nat $HOME\nEOF',
];

/** Lines that only Bash is known to read this way. */
const ofBash: readonly string[] = [
  ...String.raw`
ls {src,docs}
cat src/{a,b}.ts
mkdir -p src/{a,b}
[[ -f a.txt ]] && cat a.txt
[[ "$x" == a* ]] || echo no
npm test |& tail -20
npm test &> /dev/null
diff <(ls src) <(ls docs)
grep -n foo <<< "a foo"
echo $'a\tb'
time npm test
for i in {1..3}; do echo "$i"; done
`
    .trim()
    .split('\n'),
];

/**
 * Lines that need approval: a program that reads its settings from another folder, except git in the same repository, and everything that
 * only the shell knows.
 */
const asked: readonly string[] = [
  ...String.raw`
cd src && npm test
cd src && make
sort -o a.txt a.txt
git show "$(git rev-parse HEAD)"
git -c core.pager=x log
sort *
find . -name $x
ls; rm
echo x > a.txt
cd $x && ls
`
    .trim()
    .split('\n'),
];

const folder = (): string => {
  const cwd = project();
  for (const each of ['docs', 'build']) mkdirSync(join(cwd, each));
  for (const each of ['a.txt', 'log.txt', 'script.mjs', 'package.json', 'src/b.ts']) writeFileSync(join(cwd, each), '');
  return cwd;
};

function effects(lines: readonly string[], shell: 'bash' | 'posix'): Readonly<Record<string, string>> {
  const cwd = folder();
  const permissions = createPermissions({ project: cwd, rules: rules.map(given) });
  return Object.fromEntries(
    lines.map((command) => [command, permissions.judge(action(cwd, { command, cwd, shell })).effect]),
  );
}

function all(lines: readonly string[], effect: string): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map((line) => [line, effect]));
}

test.each(['bash', 'posix'] as const)('everyday lines stay allowed by their rules, read for %s', (shell) => {
  expect(effects(plain, shell)).toEqual(all(plain, 'allow'));
});

test('syntax that only Bash is known to read this way is allowed where Bash runs it, and asked about elsewhere', () => {
  expect([effects(ofBash, 'bash'), effects(ofBash, 'posix')]).toEqual([all(ofBash, 'allow'), all(ofBash, 'ask')]);
});

test.each(['bash', 'posix'] as const)('lines need approval if no rule names what they do, read for %s', (shell) => {
  expect(effects(asked, shell)).toEqual(all(asked, 'ask'));
});
