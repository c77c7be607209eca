import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { canMount, fill, smallDisk } from '../../../transports/test/small-disk.ts';
import { type SessionEntry } from '../../src/index.ts';
import { sessionStore } from '../../src/node/index.ts';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { entries, header, held, storeContract, stored } from './store-contract.ts';
import { hasManyRuns } from '../../../../tools/random-runs.ts';

const folders: string[] = [];

/** A new folder for sessions, inside one that is removed after the test. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sessions-'));
  folders.push(folder);
  return join(folder, 'deep', 'sessions');
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

storeContract(async (openTimeout) => sessionStore(await newFolder(), { pageSize: 2, openTimeout }));

const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('files and folder are private, and only the session file remains', async () => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  const journal = await store.create(header('one'));
  const during = (await readdir(folder)).toSorted();
  expect([await mode(folder), await mode(join(folder, 'one.jsonl'))]).toEqual(['700', '600']);
  await journal.close();
  expect([during, await readdir(folder)]).toEqual([['one.jsonl', 'one.jsonl.lock'], ['one.jsonl']]);
});

test('a relative folder is refused', () => {
  expect(() => sessionStore('~/.agent')).toThrow('~/.agent is relative: pass the absolute path of the session folder');
});

test('a session file has a header and one line per entry', async () => {
  const folder = await newFolder();
  await stored(sessionStore(folder), header('one'), entries);
  const lines = (await readFile(join(folder, 'one.jsonl'), 'utf8')).split('\n');
  expect(lines.slice(0, -1).map((line): unknown => JSON.parse(line))).toEqual([
    { type: 'session', version: 1, ...header('one') },
    ...entries,
  ]);
  expect(lines.at(-1)).toBe('');
});

test('a session file cut at any byte loses only the cut line, and the session continues', async () => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  await stored(store, header('one'), entries);
  const path = join(folder, 'one.jsonl');
  const bytes = await readFile(path);
  const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at);
  const next = { type: 'kept', value: 'next' } as const;
  // Around the ends of lines at every byte; within them at every fifth, unless more was asked for.
  const isTried = (length: number): boolean =>
    hasManyRuns || length % 5 === 0 || ends.some((end) => Math.abs(end - length) <= 2);
  for (const length of Array(bytes.length + 1).keys()) {
    if (!isTried(length)) continue;
    await writeFile(path, bytes.subarray(0, length));
    const opened = await store.open('one');
    await opened?.journal.append(next);
    await opened?.journal.close();
    // A line is whole with or without its end; without its header it is no session.
    const whole = ends.filter((end) => end <= length).length - 1;
    const survivors = whole < 0 ? undefined : entries.slice(0, whole);
    expect([length, opened?.entries, await held(store, 'one')]).toEqual([
      length,
      survivors,
      survivors && [...survivors, next],
    ]);
  }
});

test('an unreadable line is left out, at any position', async () => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  await stored(store, header('one'), entries.slice(0, 1));
  await appendFile(join(folder, 'one.jsonl'), '\0\0\0\n[]\n"text"\nnull\n{"no":"type"}\n');
  const opened = await store.open('one');
  await opened?.journal.append(entries[1]!);
  await opened?.journal.close();
  expect(await held(store, 'one')).toEqual(entries.slice(0, 2));
});

test.each<object>([
  { type: 'update' },
  { type: 'update', update: null },
  { type: 'update', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text' } } },
  { type: 'update', update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 7 } },
  { type: 'prompt', messageId: 'm' },
  { type: 'prompt', messageId: 'm', prompt: [{ type: 'text' }] },
  { type: 'prompt', prompt: [] },
  { type: 'end', title: 7 },
  { type: 'title' },
  { type: 'mode' },
  { type: 'option', id: 'fast', value: {} },
  { type: 'unheard-of' },
])('a damaged line is left out: %j', async (line) => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  await stored(store, header('one'), entries);
  await appendFile(join(folder, 'one.jsonl'), `${JSON.stringify(line)}\n`);
  expect(await held(store, 'one')).toEqual(entries);
});

test('a file that is not a session is neither listed nor opened', async () => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  await stored(store, header('one'));
  await writeFile(join(folder, 'empty.jsonl'), '');
  await writeFile(join(folder, 'notes.jsonl'), '{"type":"note"}\n');
  await writeFile(
    join(folder, 'newer.jsonl'),
    `${JSON.stringify({ type: 'session', version: 2, ...header('newer') })}\n`,
  );
  await writeFile(join(folder, 'copy.jsonl'), await readFile(join(folder, 'one.jsonl')));
  await writeFile(join(folder, 'readme.txt'), 'hello');
  expect([
    (await store.list({})).sessions.map(({ id }) => id),
    await store.open('empty'),
    await store.open('notes'),
    await store.open('newer'),
    await store.open('copy'),
  ]).toEqual([['one'], undefined, undefined, undefined, undefined]);
  expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual([]);
});

test('the title is found behind entries longer than one read', async () => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  const long = { type: 'kept', value: 'x'.repeat(300_000) } as const;
  await stored(store, header('one'), [long, { type: 'title', title: 'Far back' }, long, long]);
  await stored(store, header('two', { title: 'x'.repeat(100_000) }), [long]);
  expect((await store.list({})).sessions.map(({ id, title }) => [id, title])).toEqual(
    expect.arrayContaining([
      ['one', 'Far back'],
      ['two', 'x'.repeat(100_000)],
    ]),
  );
});

const source = bundleProgram(fileURLToPath(new URL('../../src/node/index.ts', import.meta.url)));

const holder = `
  const { sessionStore } = await import(process.argv[2]);
  const store = sessionStore(process.argv[3]);
  const opened = await store.open('one');
  console.log('open');
  for (let count = 0; ; count++) await opened.journal.append({ type: 'kept', value: count });
`;

/** A process that opens the session called one and writes to it without end. */
async function startHolder(folder: string) {
  const program = join(folder, 'holder.mjs');
  await writeFile(program, holder);
  const child = spawn(process.execPath, [program, source, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('a session in use by another process is refused until that process ends', async () => {
  const folder = await newFolder();
  const store = sessionStore(folder, { openTimeout: 0 });
  await stored(store, header('one'), entries);
  const child = await startHolder(folder);
  const message = `Session one is in use by process ${child.pid}: close it there first`;
  await expect(store.open('one')).rejects.toThrow(message);
  await expect(store.delete('one')).rejects.toThrow(message);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  const opened = await store.open('one');
  await opened?.journal.close();
  const kept = opened?.entries.slice(entries.length) ?? [];
  expect(opened?.entries).toEqual([...entries, ...kept.map((_, index) => ({ type: 'kept', value: index }))]);
});

const reader = `
  const { sessionStore } = await import(process.argv[2]);
  const store = sessionStore(process.argv[3]);
  const opened = await store.open('one');
  const refused = await opened.journal.append({ type: 'kept', value: 1 }).catch((error) => error.code);
  await opened.journal.close();
  console.log(JSON.stringify([opened.entries, refused]));
  await store.delete('one');
`;

test.skipIf(process.platform === 'win32')('where nothing can be written, a session is read and deleted', async () => {
  const folder = await newFolder();
  await stored(sessionStore(folder), header('one'), entries);
  const program = join(folder, 'reader.mjs');
  await writeFile(program, reader);
  // No byte can be written to a file, as on a full disk.
  const words = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, program, source, folder];
  const { stdout } = await promisify(execFile)('/bin/sh', words);
  expect([JSON.parse(stdout), await readdir(folder)]).toEqual([[entries, 'EFBIG'], ['reader.mjs']]);
});

test.each([
  ['of a process that is gone', { pid: 2 ** 22 + 1, host: hostname() }],
  ['of an earlier process with the number of one that runs', { pid: process.pid, host: hostname(), begun: 'long ago' }],
  ['that says nothing', 'torn'],
])('a lock %s is ignored', async (_, lock) => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  await stored(store, header('one'), entries);
  await writeFile(join(folder, 'one.jsonl.lock'), JSON.stringify(lock));
  const opened = await store.open('one');
  await opened?.journal.close();
  expect([opened?.entries, await readdir(folder)]).toEqual([entries, ['one.jsonl']]);
});

test('of many processes that open a session whose writer died, one succeeds', async () => {
  const folder = await newFolder();
  await stored(sessionStore(folder), header('one'), entries);
  await writeFile(join(folder, 'one.jsonl.lock'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => sessionStore(folder, { openTimeout: 0 }).open('one')),
  );
  const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const session of opened) await session?.journal.close();
  expect([opened.length, await readdir(folder)]).toEqual([1, ['one.jsonl']]);
});

test('a session that cannot be written rejects, and its earlier entries stay', async () => {
  const folder = await newFolder();
  const store = sessionStore(folder);
  const journal = await store.create(header('one'));
  await journal.append(entries[0]!);
  await journal.close();
  await expect(journal.append(entries[1]!)).rejects.toThrow('The session was closed before this entry was written');
  expect(await held(store, 'one')).toEqual(entries.slice(0, 1));
});

const sizeOf = async (folder: string): Promise<number> => (await stat(join(folder, 'one.jsonl'))).size;

test.runIf(canMount())(
  'on a full disk no partial line is left, and the entry can be written again (needs a mount)',
  async () => {
    const folder = join(await smallDisk(), 'sessions');
    const store = sessionStore(folder);
    const journal = await store.create(header('one'));
    await journal.append(entries[0]!);
    const filler = await fill(folder);
    const before = await sizeOf(folder);
    const long: SessionEntry = { type: 'kept', value: 'x'.repeat(10_000) };
    await expect(journal.append(long)).rejects.toThrow('ENOSPC');
    const after = await sizeOf(folder);
    await rm(filler);
    await journal.append(long);
    await journal.append(entries[1]!);
    await journal.close();
    expect([after, await held(store, 'one')]).toEqual([before, [entries[0], long, entries[1]]]);
  },
);

test.runIf(canMount())('a session opened on a full disk is written once there is space (needs a mount)', async () => {
  const folder = join(await smallDisk(), 'sessions');
  const store = sessionStore(folder);
  await stored(store, header('one'), entries.slice(0, 2));
  const filler = await fill(folder);
  const opened = await store.open('one');
  await expect(opened?.journal.append(entries[2]!)).rejects.toThrow('ENOSPC');
  await rm(filler);
  await opened?.journal.append(entries[2]!);
  await opened?.journal.close();
  expect([opened?.entries, await held(store, 'one'), await readdir(folder)]).toEqual([
    entries.slice(0, 2),
    entries.slice(0, 3),
    ['one.jsonl'],
  ]);
});
