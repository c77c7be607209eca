import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { localFiles } from '../../src/node/files/local-files.ts';
import { FileWorld, outside } from './file-world.ts';

test('line and limit select lines, endings included', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/a'), 'one\ntwo\r\nthree');
  const ranges = [
    {},
    { line: null, limit: null },
    { line: 1 },
    { line: 0 },
    { line: 2 },
    { line: 2, limit: 1 },
    { limit: 2 },
    { line: 3, limit: 9 },
    { line: 4 },
    { line: 4_294_967_295, limit: 4_294_967_295 },
    { limit: 0 },
  ];
  expect(await Promise.all(ranges.map((range) => world.read('in/a', range)))).toEqual(
    [
      'one\ntwo\r\nthree',
      'one\ntwo\r\nthree',
      'one\ntwo\r\nthree',
      'one\ntwo\r\nthree',
      'two\r\nthree',
      'two\r\n',
      'one\ntwo\r\n',
      'three',
      '',
      '',
      '',
    ].map((content) => ({ content })),
  );
});

test('an invalid line number is refused', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/a'), 'one\n');
  const message = (field: string): string => `${field}: expected a whole number, 0 or more. Lines are counted from 1.`;
  expect([
    await world.read('in/a', { line: -1 }),
    await world.read('in/a', { limit: -1 }),
    await world.read('in/a', { line: 1.5 }),
    await world.read('in/a', { limit: Number.NaN }),
  ]).toEqual(['line', 'limit', 'line', 'limit'].map((field) => ({ code: -32602, message: message(field) })));
});

test('a byte order mark stays, an empty file is empty, and bytes that are not UTF-8 are refused', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/bom'), '\uFEFFa €\0');
  await writeFile(world.at('in/empty'), '');
  await writeFile(world.at('in/latin'), Buffer.from('good\nb\u00F6se\ngood\n', 'latin1'));
  expect([
    await world.read('in/bom'),
    await world.read('in/empty'),
    await world.read('in/latin'),
    await world.read('in/latin', { line: 3 }),
  ]).toEqual([
    { content: '\uFEFFa €\0' },
    { content: '' },
    {
      code: -32602,
      message: '…/in/latin is binary or not UTF-8 text, and cannot be read as text. Read it with another tool.',
    },
    { content: 'good\n' },
  ]);
});

test('a missing file is not found, or empty if the caller prefers that', async () => {
  await using strict = await FileWorld.make();
  await using lenient = await FileWorld.make({ missingFile: 'empty' });
  await writeFile(strict.at('in/file'), '');
  expect([
    await strict.read('in/none'),
    await strict.read('in/none/deep'),
    await strict.read('in/file/deep'),
    await lenient.read('in/none'),
    await lenient.read('in/none/deep', { line: 3 }),
    await lenient.read('out/none'),
    await lenient.read('in'),
  ]).toEqual([
    { code: -32002, message: 'File not found: …/in/none' },
    { code: -32002, message: 'File not found: …/in/none/deep' },
    { code: -32002, message: 'File not found: …/in/file/deep' },
    { content: '' },
    { content: '' },
    outside('out/none'),
    { code: -32602, message: '…/in is a folder, not a file. Specify a file in it.' },
  ]);
});

test('an answer beyond the limit is refused, never truncated', async () => {
  await using world = await FileWorld.make({ readLimit: 8 });
  await writeFile(world.at('in/a'), '12345678');
  await writeFile(world.at('in/b'), '1234\n6789\n');
  expect([
    await world.read('in/a'),
    await world.read('in/b'),
    await world.read('in/b', { limit: 2 }),
    await world.read('in/b', { line: 2, limit: 1 }),
  ]).toEqual([
    { content: '12345678' },
    {
      code: -32602,
      message:
        '…/in/b is 10 bytes long, more than the limit of 8 bytes per answer. Read it in parts, with line and limit.',
    },
    {
      code: -32602,
      message:
        'The requested part of …/in/b is longer than the limit of 8 bytes per answer. Read it in parts, with line and limit.',
    },
    { content: '6789\n' },
  ]);
});

test('only the requested lines of a file of two gigabytes are read', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/huge'), 'a\nb\nc\n');
  await truncate(world.at('in/huge'), 2 ** 31);
  expect([await world.read('in/huge', { limit: 3 }), await world.read('in/huge')]).toEqual([
    { content: 'a\nb\nc\n' },
    {
      code: -32602,
      message:
        '…/in/huge is 2147483648 bytes long, more than the limit of 10485760 bytes per answer. Read it in parts, with line and limit.',
    },
  ]);
});

test('skipping half a gigabyte keeps little of it in memory', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/huge'), 'a\n');
  await truncate(world.at('in/huge'), 2 ** 29);
  await appendFile(world.at('in/huge'), '\nlast\n');
  const before = process.memoryUsage.rss();
  const last = await world.read('in/huge', { line: 3 });
  const grown = process.memoryUsage.rss() - before;
  expect([last, grown < 2 ** 27]).toEqual([{ content: 'last\n' }, true]);
});

test('a cancelled request is not answered with a file', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/a'), 'a');
  const request = { sessionId: 's', path: world.at('in/a') };
  await expect(
    localFiles().readTextFile(request, { ...world.context, signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({
    code: -32800,
    message: 'Request cancelled',
  });
});

test('without roots there are no files', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/a'), 'a');
  const request = { sessionId: 's', path: world.at('in/a') };
  await expect(localFiles().readTextFile(request, { ...world.context, roots: [] })).rejects.toMatchObject({
    code: -32602,
  });
});
