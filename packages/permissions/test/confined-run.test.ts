import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isInside, runFileOperations } from '@turnwire/machine';
import { expect, test } from 'vitest';
import { type ConfinedRun, createPermissions } from '../src/index.ts';
import { operationSteps } from '../src/file-operations.ts';
import { shellLine } from '../src/shell-line.ts';
import { cloned, guarded } from './cloned.ts';
import { action, given, toRun } from './project.ts';

/** Every path of a folder with its kind and content. */
function tree(folder: string, below = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, below)).sort()) {
    const [path, whole] = [join(below, name), join(folder, below, name)];
    const stats = lstatSync(whole);
    if (stats.isDirectory()) Object.assign(found, { [path]: 'folder' }, tree(folder, path));
    else found[path] = stats.isSymbolicLink() ? `-> ${readlinkSync(whole)}` : readFileSync(whole, 'utf8');
  }
  return found;
}

const never = new AbortController().signal;

/** Runs a line with our own code, which may touch project files except those that make programs run. */
async function run(project: string, line: string): Promise<{ code: number; printed: string }> {
  let printed = '';
  const steps = operationSteps(shellLine(line, 'bash'));
  if (!steps) throw new Error(`${line} is not a line of file operations`);
  const isHeld = (real: string): boolean => isInside(project, real) && !/\/\.(?:git|husky|github)(?:\/|$)/.test(real);
  const place = { cwd: project, mayRead: isHeld, mayChange: isHeld, print: (text: string) => void (printed += text) };
  return { code: await runFileOperations(steps, { ...place, signal: never }), printed };
}

/** Lines that coreutils run with the same result, or refuse. */
const ordinary = String.raw`
mkdir new
mkdir src
mkdir -p new/deep/er src
mkdir new new; touch x
mkdir no/parent && touch y
touch new a
touch -c absent
touch inside/x
touch absent/x
cp a b
cp a src
cp a b src/deep/
cp a inside
cp a absent/x
cp absent b
cp src x
cp a b c
cp a a
cp -n a b
cp -r src x
cp -r src docs
cp -r src/. docs
cp -R d1 x
cp -r a x
mv a b
mv -n a b
mv a src
mv a b src/deep
mv src lib
mv src docs
mv src src/deep
mv absent b
mv d1/link d1/other
mv a b c
rm a b
rm a absent
rm -f a absent
rm src
rm -r src absent
rm -rf src absent/x
rm -d src
rm d1/file && rm -r d1
rm -- a
touch -- -x; rm -- -x
rm a; touch a
mkdir s && mv a s && cp -r s t && rm -r s
`
  .trim()
  .split('\n');

test.each(ordinary)('%s leaves the same files as in a shell', async (line) => {
  const [ours, theirs] = [cloned(), cloned()];
  const { code } = await run(ours, line);
  const { status } = spawnSync('/bin/bash', ['-c', line], { cwd: theirs });
  expect({ code, tree: tree(ours) }).toEqual({ code: status, tree: tree(theirs) });
});

const escapes = String.raw`
cp notes docs
cp a away/loot
cp a d1/dangling
cp cfg dg
cp d1/file x
cp -r d1/link x
cp -r away/. x
mv notes away
mv away/keep x
mv d1 d2 && cp a d2/file
mv d1 d2; mv a d2/link
mv d1 d2; rm d2/link/keep
mv d1 d2; rm -r d2/link/
mv d1 d2; touch d2/dangling
mv d1 d2; mkdir d2/link/x
mv d1 d2; mkdir -p d2/link/x/y
cp -r d1 d3; rm -rf d3/link/.; cp -r src d3/link
cp -r d1/. src; cp a src/file; cp a src/git/config
mv d1/link l; cp a l
mv d1/link l; cp -r src/. l
mv template .github
mkdir -p w/workflows; cp a w/workflows/x.yml; mv w .github
cp -r template/. .
rm -r away/../home
rm -r ../home
touch d1/link/../new
`
  .trim()
  .split('\n');

test.each(escapes)('%s changes nothing outside, even without a decision', async (line) => {
  const project = cloned();
  const before = guarded(project);
  await run(project, line);
  expect({ after: guarded(project), home: tree(join(project, '../home')) }).toEqual({
    after: before,
    home: { '.bashrc': 'home/.bashrc\n', keep: 'home/keep\n' },
  });
});

async function allowed(project: string, line: string, rules: readonly string[] = []): Promise<ConfinedRun | undefined> {
  const permissions = createPermissions({ project, mode: 'acceptEdits', rules: rules.map(given) });
  return permissions.allowHostCall(action(project, { command: line, cwd: project, shell: 'bash' }), never);
}

test('a folder that becomes a link between the decision and the run is not followed', async () => {
  const project = cloned();
  const before = guarded(project);
  const confined = await allowed(project, 'cp a src/loot && cp a src/deep');
  renameSync(join(project, 'src'), join(project, 'old'));
  symlinkSync('../home', join(project, 'src'));
  let printed = '';
  const code = await confined?.((text) => (printed += text), never);
  expect({ code, printed, after: guarded(project) }).toEqual({
    code: 1,
    printed: `cp: ${join(project, '../home/loot')} may not be changed without a question; it was not\n`,
    after: before,
  });
});

test('a denied file is not changed through a folder that was moved', async () => {
  const project = cloned();
  mkdirSync(join(project, 'x'));
  const confined = await allowed(project, 'mv x src/x', ['deny Edit(src/x/y)']);
  writeFileSync(join(project, 'x/y'), '');
  let printed = '';
  const code = await confined?.((text) => (printed += text), never);
  expect({ code, printed, tree: Object.keys(tree(join(project, 'src'))) }).toEqual({
    code: 1,
    printed: `mv: ${join(project, 'src/x/y')} may not be changed without a question; it was not\n`,
    tree: ['deep'],
  });
});

test('only lines of file operations that the mode allows run without a shell', async () => {
  const project = cloned();
  const rules = ['allow Bash(npm test)', 'allow Bash(touch *)'];
  const lines = [
    'mkdir x && cp a x',
    'mkdir x; npm test',
    'touch x',
    'npm test',
    'mkdir x || rm a',
    '! rm a',
    'rm a > b',
  ];
  const isConfined = await Promise.all(
    lines.map(async (line) => [line, (await allowed(project, line, rules)) !== undefined]),
  );
  expect(Object.fromEntries(isConfined)).toEqual({
    ...Object.fromEntries(lines.map((line) => [line, false])),
    'mkdir x && cp a x': true,
  });
});

test("a command that the mode allowed at the agent's request is judged again when the client runs it", async () => {
  const project = cloned();
  const permissions = createPermissions({ project, mode: 'acceptEdits' });
  await permissions.policy(toRun('cp a src/deep'), { signal: never });
  renameSync(join(project, 'src'), join(project, 'old'));
  symlinkSync('..', join(project, 'src'));
  const call = action(project, { command: 'cp a src/deep', cwd: project, shell: 'bash' });
  await expect(permissions.allowHostCall(call, never)).rejects.toThrow('no user can be asked');
});
