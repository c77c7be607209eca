import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cloned, guarded } from './cloned.ts';
import { judging } from './project.ts';

/** Each of these changes something outside, or something that makes programs run. */
const escapes = String.raw`
cp notes docs
cp notes docs/
cp -f ./notes docs/.
cp cfg dg
cp a notes docs
mv notes docs/notes/x
mv a away
cp a away
cp a away/loot
mkdir away/x
touch away/x
rm away/keep
rm -rf d1/link/keep
mv d1 d2 && cp a d2/link/loot
mv d1 d2; mv a d2/link
mv d1 d2; rm d2/link/keep
mv d1 d2; touch d2/dangling
mv d1 d2; mkdir d2/link/x
mv d1 d2; cp a d2/file
mv d1/file f; cp a f
mv d1/link src; cp a src/link
cp -r d1 d3 && rm -r d3/link/keep
cp -R d1 d3; cp a d3/file
cp -r d1/. d3 && cp a d3/file
cp -r d1/. src && cp a src/file
mkdir d4; mv d1 d4; cp a d4/d1/file
mv d1 d2; > d2/dangling
mv d1 d2; echo x > d2/file
mv d1 d2; echo x >> d2/git/config
cp -r d1 d3; echo x > d3/link/keep
echo x > d2/file & mv d1 d2
for f in 1 2; do cp a f2; mv d1/file f2; done
ln -s ../home/.bashrc l; cp a l
ln -s ../home/.bashrc l; echo x > l
git checkout other; cp a l
git checkout other; echo x > l
tar xf x.tar; touch l
npm test; cp a l
sh -c 'mv d1 d2; cp a d2/file'
sh -c 'mv d1 d2'; cp a d2/file
cd d1 && cp ../a link
cp -r template/. .
cp -r template/.husky .
mv template/.husky .
mv template .github
cp -r template .github
mkdir -p w/workflows; cp a w/workflows/x.yml; mv w .github
mkdir -p w/workflows; echo x > w/workflows/x.yml; mv w .github
cp .. d5 -r
`
  .trim()
  .split('\n');

const rules = ['echo *', 'ln *', 'git *', 'tar *', 'npm test', 'cd *'].map((each) => `allow Bash(${each})`);

test.each(escapes)('acceptEdits does not allow %s', (line) => {
  const project = cloned();
  expect(judging(project, rules, 'acceptEdits')({ command: line, cwd: project, shell: 'bash' }).effect).toBe('ask');
});

/** Lines that agents write every day. The first of two commands leaves nothing behind that could lead elsewhere. */
const everyday = String.raw`
mkdir -p src/new/deep
touch src/new.ts a
cp a src
cp a src/new.ts
cp a b src/deep/
cp a inside/x
cp -r src src2
mv a src/
mv a c
mv src lib
rm -f a b
rm -rf dist
rm -r d1
mkdir -p out && cp a out/
mkdir -p out && mv a out && touch b
mv a src && mv b src
mv a c; mv b d
cp -r src x && cp a y
rm -rf dist && npm test
rm -rf dist; mkdir dist; npm test
echo x > tmp && mv tmp notes
grep x a > tmp && mv tmp a
npm test > log 2>&1; tail log
git log > log; cp log src
cd src && touch x && rm x
`
  .trim()
  .split('\n');

test.each(everyday)("acceptEdits allows %s, which changes nothing outside the session's folders", (line) => {
  const project = cloned();
  const before = guarded(project);
  const allowed = [...rules, 'allow Bash(grep *)', 'allow Bash(tail *)'];
  const { effect } = judging(project, allowed, 'acceptEdits')({ command: line, cwd: project, shell: 'bash' });
  // npm itself is not needed here.
  spawnSync('/bin/bash', ['-c', line.replace('npm test', ':')], { cwd: project });
  expect({ effect, after: guarded(project) }).toEqual({ effect: 'allow', after: before });
});
