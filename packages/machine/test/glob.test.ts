import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { globMatcher, nameMatcher } from '../src/glob.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

function textOf(characters: readonly string[], maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength }).map((all) => all.join(''));
}

test('patterns of ordinary characters match like picomatch', () => {
  const part = fc.oneof(fc.constant('**'), textOf(['a', 'b', '*', '?', '.', 'é'], 6));
  const patterns = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
  const name = textOf(['a', 'b', '.', 'é'], 5).filter((each) => !/^\.{1,2}$/.test(each));
  const paths = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
  const options = { dot: true, nonegate: true, noextglob: true, windows: false };
  fc.assert(
    fc.property(patterns.filter(isOrdinary), fc.array(paths, { minLength: 5, maxLength: 5 }), (pattern, all) => {
      const [ours, theirs] = [globMatcher(pattern), picomatch(pattern, options)];
      expect(all.map(ours)).toEqual(all.map((path) => theirs(path)));
    }),
    { numRuns: 3_000 },
  );
});

/** Patterns for which picomatch differs: three stars, `./`, names of dots alone, `**.`, and `**` at the end after a star. */
function isOrdinary(pattern: string): boolean {
  if (/\*[^/]*(?:\/\*\*)+$/.test(pattern)) return false;
  return !/\*{3}|\*{2}\./.test(pattern) && !pattern.split('/').some((part) => /^[.*?]*\.[.*?]*$/.test(part));
}

test.skipIf(!hasBash)('classes match like those of Bash', () => {
  const piece = fc.oneof(
    textOf(['a', 'b', 'A', '0', '-', '!', '^', ']', '[', '\\a', '\\*', '.', '*', '?'], 4),
    textOf(['a', 'b', 'c', '-', 'A', 'Z', '[:digit:]', '\\]'], 4).map((members) => `[${members}]`),
    textOf(['a', 'b', 'c', '-', ']', '[', '[:alpha:]'], 4).map((members) => `[!${members}]`),
    textOf(['a', 'z', '-'], 3).map((members) => `[^${members}]`),
  );
  const all = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
  // Bash ends a class with such a range in two ways, and knows names of characters: code that matches for a shell must expect these.
  const patterns = all.filter((pattern) => !/-\[:|\[[.=]/.test(pattern));
  const cases = fc.sample(fc.tuple(patterns, textOf(['a', 'b', 'A', 'Z', '0', '-', '!', ']', '[', '.'], 5)), 4_000);
  const script = 'while IFS= read -r p && IFS= read -r n; do case $n in $p) echo yes;; *) echo no;; esac; done';
  const input = cases.flat().join('\n') + '\n';
  const { stdout } = spawnSync('bash', ['-c', script], { input, encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
  const ours = cases.map(([pattern, name]) => (nameMatcher(pattern, { classes: true })(name) ? 'yes' : 'no'));
  const theirs = stdout.trimEnd().split('\n');
  expect(cases.filter((_, at) => ours[at] !== theirs[at])).toEqual([]);
});

test.each([
  ['without classes everything but stars means itself', ['app/(shop)/[id]!.{tsx}'], 'app/(shop)/[id]!.{tsx}', true],
  ['one character may take two places', ['a?b'], 'a😀b', true],
  ['a class may hold such a character', ['[😀-😂]', { classes: true }], '😁', true],
  ['a star does not leave its folder', ['a/*'], 'a/b/c', false],
  ['two stars in a name are one', ['a**c'], 'ab/c', false],
  ['an absolute pattern stays absolute', ['/etc/**'], 'etc/passwd', false],
  ['what is in a folder is not the folder', ['**/a/**', { isContents: true }], 'b/a', false],
  ['what is in a folder may be deep in it', ['**/a/**', { isContents: true }], 'a/b/c', true],
  ['a bracket that is not closed is itself', ['[a', { classes: true }], '[a', true],
] as const)('%s', (_what, [pattern, options], path, expected) => {
  expect(globMatcher(pattern, options)(path)).toBe(expected);
});

test.each([
  ['stars', `${'*a'.repeat(200)}b`, 'a'.repeat(4_000)],
  ['stars and question marks', `${'*?a'.repeat(200)}b`, 'a'.repeat(4_000)],
  ['stars and classes', `${'*[ab]'.repeat(200)}c`, 'a'.repeat(4_000)],
  ['folders', `${'**/a/'.repeat(200)}b`, 'a/'.repeat(2_000)],
  ['folders with stars', `${'**/*a*a*a/'.repeat(60)}b`, `${'a'.repeat(60)}/`.repeat(60)],
])('a pattern designed to take very long is matched quickly: %s', (_what, pattern, path) => {
  const start = performance.now();
  expect(globMatcher(pattern, { classes: true })(path)).toBe(false);
  expect(performance.now() - start).toBeLessThan(within(500));
});
