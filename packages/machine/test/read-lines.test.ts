import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Line, LineSplitter, readLines } from '../src/index.ts';

function split(pieces: readonly string[], limit = 100): readonly Line[] {
  const splitter = new LineSplitter(limit);
  const lines = pieces.flatMap((piece) => splitter.push(Buffer.from(piece, 'latin1')));
  const last = splitter.end();
  return last === undefined ? lines : [...lines, last];
}

test('lines are the same however the bytes are split', () => {
  const text = Buffer.from('one\n\ntwo ä €\u2028 \r\nthree').toString('latin1');
  const whole = ['one', '', 'two ä €\u2028 \r', 'three'];
  const cuts = Array.from({ length: text.length + 1 }, (_, at) => split([text.slice(0, at), text.slice(at)]));
  expect(cuts).toEqual(cuts.map(() => whole));
  expect(split(text.split(''))).toEqual(whole);
});

test('a line that is too long is reported with its length and its start, and its neighbours are complete', () => {
  const text = `before\n${'x'.repeat(11)}\nafter\n${'y'.repeat(10)}\n${'z'.repeat(12)}`;
  const expected = [
    'before',
    { bytes: 11, head: 'x'.repeat(11) },
    'after',
    'y'.repeat(10),
    { bytes: 12, head: 'z'.repeat(12) },
  ];
  expect([split([text], 10), split(text.split(''), 10)]).toEqual([expected, expected]);
  expect(split(['x'.repeat(2_000), 'y\n'], 1_500)).toEqual([{ bytes: 2_001, head: 'x'.repeat(1_000) }]);
});

test('a line is reported as too long before it ends, and can be dropped', () => {
  const splitter = new LineSplitter(10);
  const seen = ['x'.repeat(10), 'x'].map((piece) => [splitter.push(Buffer.from(piece)), splitter.isTooLong]);
  splitter.clear();
  expect([...seen, splitter.push(Buffer.from('next\n'))]).toEqual([[[], false], [[], true], ['next']]);
});

test('a file is read from its current position, in batches', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-lines-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'file');
  const lines = Array.from({ length: 20_000 }, (_, number) => `line ${number} ${'é'.repeat(number % 50)}`);
  await writeFile(path, lines.join('\n'));
  await using file = await open(path);
  const batches: (readonly Line[])[] = [];
  for await (const batch of readLines(file, 1000)) batches.push(batch);
  expect(batches.length).toBeGreaterThan(3);
  expect(batches.flat()).toEqual(lines);
});
