import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileEngine, FoundFile, SearchScope, TextQuery } from '../src/search/file-engine.ts';
import { plainEngine } from '../src/search/plain-engine.ts';
import { ripgrepEngine } from '../src/search/ripgrep-engine.ts';
import { withFallback } from '../src/search/with-fallback.ts';

const files: Readonly<Record<string, string | Buffer>> = {
  '.gitignore': 'ignored/\n*.log\n!kept.log\n/only-here.txt\n',
  '.hidden/h.txt': 'TODO hidden\n',
  'a.txt': 'alpha\nTODO one\nomega\n',
  'a/b.txt': 'TODO in a\n',
  'a/.gitignore': 'b.txt\n',
  'app.log': 'TODO log\n',
  'crlf.txt': 'one\r\nTODO two\r\nthree TODO\r\n',
  'deep/only-here.txt': 'TODO deep\n',
  'ignored/c.txt': 'TODO ignored\n',
  'ignored/sub/d.txt': 'TODO further down\n',
  'kept.log': 'TODO kept\n',
  'late.bin': Buffer.concat([Buffer.from('TODO before\n'), Buffer.alloc(200_000, 'x\n'), Buffer.from('\0\n')]),
  'latin.txt': Buffer.from('TODO caf\xe9\n', 'latin1'),
  'new\nline.txt': 'TODO name\n',
  'nul.bin': 'TODO\0\n',
  'only-here.txt': 'TODO not here\n',
  'sub/.git/config': 'TODO inner\n',
  'sub/x.log': 'TODO other repository\n',
  'utf16.txt': Buffer.from('\uFEFFTODO wide é\n', 'utf16le'),
  'umlaut.txt': 'Über allem TODO\n',
  'wide.ts': `${'é'.repeat(400)}TODO${'y'.repeat(400)}\n`,
  'x.ts': 'start {\n  todo()\n}\nstart {\n  other()\n}\n',
};

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'engine-')));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await symlink('a.txt', join(folder, 'link.txt'));
  await symlink('.', join(folder, 'loop'));
  await symlink('nowhere', join(folder, 'dangling'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly found: readonly FoundFile[];
  readonly warnings: readonly string[];
}

const { signal } = new AbortController();

async function search(
  engine: FileEngine,
  query: Partial<TextQuery>,
  scope: Partial<SearchScope> = {},
): Promise<Outcome> {
  const warnings: string[] = [];
  const whole = { folder, signal, report: (each: string) => void warnings.push(each), ...scope };
  const found = await collect(engine.matches(whole, { text: 'TODO', perFile: 100, ...query }));
  return { found, warnings };
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** `path:line:column` of each match, and `path-line` of each line around. */
function places({ found }: Outcome): readonly string[] {
  return found.flatMap(({ path, lines }) =>
    lines.map(({ line, match }) => (match === undefined ? `${path}-${line}` : `${path}:${line}:${match}`)),
  );
}

describe.each([
  ['ripgrep', ripgrepEngine()],
  ['the plain engine', plainEngine],
])('%s', (_name, engine) => {
  test('finds a literal text in files that are not ignored', async () => {
    const outcome = await search(engine, {});
    expect(places(outcome)).toEqual([
      '.hidden/h.txt:1:0',
      'a.txt:2:0',
      'crlf.txt:2:0',
      'crlf.txt:3:6',
      'deep/only-here.txt:1:0',
      'kept.log:1:0',
      'latin.txt:1:0',
      'new\nline.txt:1:0',
      'umlaut.txt:1:11',
      'utf16.txt:1:0',
      'wide.ts:1:400',
    ]);
    expect(outcome.warnings).toEqual(['late.bin: binary, not searched']);
  });

  test('returns whole lines without line endings, and replaces invalid bytes', async () => {
    const { found } = await search(engine, {}, { globs: ['crlf.txt', 'latin.txt', 'utf16.txt'] });
    expect(found.map(({ lines }) => lines.map(({ text }) => text))).toEqual([
      ['TODO two', 'three TODO'],
      ['TODO caf\uFFFD'],
      ['TODO wide é'],
    ]);
  });

  test.each([
    ['ignores case', { text: 'todo', ignoreCase: true }, ['a.txt:2:0', 'x.ts:2:2']],
    ['ignores the case of other letters too', { text: 'ÜBER', ignoreCase: true }, []],
    ['takes a regular expression', { text: '^(TODO|omega)', regex: true }, ['a.txt:2:0', 'a.txt:3:0']],
    ['takes no text for a regular expression', { text: 'TOD.' }, []],
    ['shows the lines around', { context: 1 }, ['a.txt-1', 'a.txt:2:0', 'a.txt-3']],
    ['finds across lines', { text: 'start \\{\\n\\s+other', regex: true, multiline: true }, ['x.ts:4:0', 'x.ts:5:0']],
    ['has ^ and $ fit at every line', { text: '^omega$', regex: true, multiline: true }, ['a.txt:3:0']],
    [
      'finds every line with an empty match',
      { text: 'q*', regex: true },
      ['a.txt:1:0', 'a.txt:2:0', 'a.txt:3:0', ...[1, 2, 3, 4, 5, 6].map((line) => `x.ts:${line}:0`)],
    ],
    ['stops after enough of a file', { text: 'a', perFile: 1 }, ['a.txt:1:0', 'x.ts:1:2']],
  ])('%s', async (_what, query, expected) => {
    expect(places(await search(engine, query, { globs: ['/a.txt', 'x.ts'] }))).toEqual(expected);
  });

  test('searches a single file even if it is ignored', async () => {
    expect(places(await search(engine, {}, { folder: join(folder, 'ignored'), file: 'c.txt' }))).toEqual(['c.txt:1:0']);
  });

  test('finds letters of any case in any script', async () => {
    expect(places(await search(engine, { text: 'ÜBER', ignoreCase: true }))).toEqual(['umlaut.txt:1:0']);
  });

  test('refuses an invalid regular expression', async () => {
    await expect(search(engine, { text: '(', regex: true })).rejects.toThrow(
      /^Nothing was searched\. .*missing|unclosed/s,
    );
    await expect(search(engine, { text: '(?=x)', regex: true })).rejects.toThrow(/^Nothing was searched\./);
  });

  test('finishes an expression that takes exponential time in other engines', async () => {
    await using bad = await scratch({ 'bad.txt': `${'x'.repeat(100_000)}\n` });
    expect((await search(engine, { text: '(x+x+)+y', regex: true }, { folder: bad.folder })).found).toEqual([]);
  });

  test('finishes a line of 10 MB with thousands of matches', async () => {
    await using big = await scratch({ 'big.txt': `${`${'x'.repeat(500)}TODO`.repeat(20_000)}\n` });
    expect(places(await search(engine, {}, { folder: big.folder }))).toEqual(['big.txt:1:500']);
  });

  test('reports unreadable folders and continues', async () => {
    await using locked = await scratch({ 'locked/x.txt': 'TODO', 'open.txt': 'TODO' });
    await chmod(join(locked.folder, 'locked'), 0);
    const outcome = await asNobody(locked.folder, () => search(engine, {}, { folder: locked.folder }));
    await chmod(join(locked.folder, 'locked'), 0o700);
    expect([places(outcome), outcome.warnings]).toEqual([['open.txt:1:0'], ['locked: Permission denied']]);
  });

  test('ends at once when it is cancelled', async () => {
    const cancel = new AbortController();
    const run = (async () => {
      for await (const _ of engine.matches(
        { folder, signal: cancel.signal, report: () => undefined },
        { text: 'TODO', perFile: 9 },
      ))
        cancel.abort();
    })();
    await expect(run).rejects.toThrow('aborted');
  });
});

test('ignore files mean the same to ripgrep and to the plain engine', async () => {
  const part = fc.array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '.'), { minLength: 1, maxLength: 3 });
  const line = fc
    .tuple(
      fc.constantFrom('', '', '!', '/'),
      fc.array(
        fc.oneof(
          part.map((each) => each.join('')),
          fc.constant('**'),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      fc.constantFrom('', '', '/', '/**'),
    )
    .map(([before, parts, after]) => before + parts.join('/') + after)
    // Git and the plain engine read three stars as two, ripgrep does not always.
    .filter((each) => !each.includes('***'));
  const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'));
  const names = ['a', 'b', 'ab', '.a', 'ba.b'];
  const paths = [
    ...names,
    ...['a.d', 'b.d'].flatMap((at) => [...names, ...names.map((each) => `c/${each}`)].map((each) => `${at}/${each}`)),
  ];
  await using place = await scratch(Object.fromEntries(paths.map((path) => [path, 'TODO\n'])));
  const result = await fc.check(
    fc.asyncProperty(text, text, async (one, other) => {
      await writeFile(join(place.folder, '.gitignore'), one);
      await writeFile(join(place.folder, 'a.d/.gitignore'), other);
      const found = async (engine: FileEngine) => places(await search(engine, {}, { folder: place.folder }));
      expect(await found(plainEngine)).toEqual(await found(ripgrepEngine()));
    }),
    { numRuns: 40 },
  );
  if (result.failed) throw new Error(fc.defaultReportMessage(result) ?? 'failed', { cause: result.errorInstance });
});

test.each([
  ['a device', (path: string) => symlink('/dev/zero', path)],
  ['a pipe', async (path: string) => void execFileSync('mkfifo', [path])],
])('a .gitignore that is %s is not passed to ripgrep', async (_what, plant) => {
  await using place = await scratch({ 'sub/one.txt': 'TODO\n' });
  await plant(join(place.folder, 'sub/.gitignore'));
  const { found, note } = await withFallback((engine) => search(engine, {}, { folder: place.folder }));
  expect([places(found), note]).toEqual([
    ['sub/one.txt:1:0'],
    expect.stringMatching(/^Found without ripgrep, which is slower: .*\.gitignore cannot be read: /),
  ]);
});

test('a line whose matches are too many to be listed is reported as too long to show', async () => {
  await using big = await scratch({ 'big.txt': `${'TODO'.repeat(2_000_000)}\n` });
  const { found } = await search(ripgrepEngine(), {}, { folder: big.folder });
  const lines = [{ line: undefined, text: '[a line too long to be shown]', match: 0 }];
  expect(found).toEqual([{ path: 'big.txt', lines }]);
});

test('a file too large to hold in memory is reported', async () => {
  await using big = await scratch({ 'big.txt': 'TODO\n'.repeat(14_000_000), 'small.txt': 'TODO\n' });
  const outcome = await search(plainEngine, { perFile: 1 }, { folder: big.folder });
  expect([places(outcome), outcome.warnings]).toEqual([
    ['small.txt:1:0'],
    ['big.txt: 70000000 bytes long, not searched without ripgrep'],
  ]);
});

test.each([
  ['is missing', '/nowhere/rg', undefined],
  ['may not be run', 'rg-no-exec', '#!/bin/sh\nexit 0\n'],
  ['is killed', 'rg-killed', '#!/bin/sh\nkill -9 $$\n'],
  ['crashes', 'rg-crash', '#!/bin/sh\nexit 101\n'],
  ['is too old', 'rg-old', '#!/bin/sh\necho "error: Found argument --sort" >&2\nexit 2\n'],
])('the plain engine searches when ripgrep %s', async (_what, name, script) => {
  await using place = await scratch({ 'one.txt': 'TODO\n', 'two.txt': '' });
  const program = join(place.folder, '../', `${crypto.randomUUID()}-${name}`);
  if (script !== undefined) await writeFile(program, script, { mode: name === 'rg-no-exec' ? 0o600 : 0o700 });
  const find = (engine: FileEngine) => search(engine, {}, { folder: place.folder });
  const outcome = await withFallback(async (engine) => places(await find(engine)), ripgrepEngine([program]));
  await rm(program, { force: true });
  expect(outcome).toEqual({
    found: ['one.txt:1:0'],
    note: expect.stringMatching(/^Found without ripgrep, which is slower: ripgrep .+\.$/) as string,
  });
});

async function scratch(
  content: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly folder: string }> {
  const made = await realpath(await mkdtemp(join(tmpdir(), 'engine-')));
  for (const [path, text] of Object.entries(content)) {
    await mkdir(dirname(join(made, path)), { recursive: true });
    await writeFile(join(made, path), text);
  }
  return { folder: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true, force: true }) };
}

/** Nothing is locked for root. */
async function asNobody<T>(shared: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  await chmod(shared, 0o755);
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
