import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EntryPiece, historyEntries } from '../src/commands/sessions/history-entries.ts';
import { historyLines, historySchema, longestLine } from '../src/store/earlier-history.ts';
import { NamedSessions } from '../src/store/named-sessions.ts';
import { recordSchema } from '../src/store/session-record.ts';
import { turnwire } from './command.ts';

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-history-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const said = (text: string, at = 2): TranscriptEvent => ({
  at,
  type: 'update',
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});

const asked = (text: string): TranscriptEvent => ({
  at: 1,
  type: 'prompt',
  turnId: '1',
  content: [{ type: 'text', text }],
});

/** A history as earlier versions stored it. */
async function fileOf(...lines: readonly (string | object)[]): Promise<string> {
  const path = join(await temporary(), 'history.jsonl');
  const texts = [{ schema: historySchema }, ...lines].map((each) =>
    typeof each === 'string' ? each : JSON.stringify(each),
  );
  await writeFile(path, texts.join('\n'));
  return path;
}

async function read(
  path: string,
): Promise<{ readonly events: readonly TranscriptEvent[]; readonly damage: unknown[] }> {
  const events: TranscriptEvent[] = [];
  const damage: unknown[] = [];
  for await (const batch of historyLines(path))
    for (const line of batch) {
      if ('event' in line) events.push(line.event);
      else damage.push([line.number, line.damage]);
    }
  return { events, damage };
}

describe('a history of an earlier version is read', () => {
  test('line by line, and only a newline ends a line', async () => {
    const events = [asked('one\u2028two\u2029three\u0085'), said('ä€😀')];
    expect(await read(await fileOf(...events))).toEqual({ events, damage: [] });
  });

  test('without what is no event, which is named', async () => {
    const odd = [{ at: 'now', type: 'prompt' }, { at: 1, type: 'prompt' }, { at: 1e300, type: 'x' }, [], 'null'];
    const oddUpdate = { at: 1, type: 'update', update: { sessionUpdate: 'agent_message_chunk', content: 7 } };
    expect(await read(await fileOf(asked('one'), ...odd, oddUpdate, said('two'), '{"at":3,"ty'))).toEqual({
      events: [asked('one'), said('two')],
      damage: [3, 4, 5, 6, 7, 8].map((line) => [line, 'unreadable']),
    });
  });

  test('without lines that are too long, also at its end', async () => {
    const long = 'x'.repeat(longestLine + 1);
    expect(await read(await fileOf(asked('one'), long, said('two'), long))).toEqual({
      events: [asked('one'), said('two')],
      damage: [3, 5].map((line) => [line, { bytes: longestLine + 1, head: 'x'.repeat(1000) }]),
    });
  });

  test('not at all if it is of another version', async () => {
    const path = await fileOf({ schema: 'turnwire.history.v9' });
    await expect(read(path)).rejects.toThrow('is of the version "turnwire.history.v9"');
  });
});

async function* batchesOf(...events: readonly TranscriptEvent[]): AsyncGenerator<readonly TranscriptEvent[], void> {
  for (const event of events) yield [event];
}

test('an entry comes in the pieces it was said in, without white space around it', async () => {
  const tool = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'List', kind: 'read', status: 'pending' } as const;
  const batches = batchesOf(
    asked(' list it\n'),
    said('\n  Yes'),
    said(' \n'),
    said(' \n'),
    said('and'),
    { at: 3, type: 'update', update: tool },
    { at: 4, type: 'turn-ended', turnId: '1', stopReason: 'end_turn' },
    asked('x'.repeat(100_000)),
    { at: 5, type: 'turn-ended', turnId: '1', stopReason: 'refusal' },
  );
  const pieces: EntryPiece[] = [];
  for await (const batch of historyEntries(batches)) pieces.push(...batch);
  const at = (time: number): string => new Date(time).toISOString();
  expect(pieces).toEqual([
    { role: 'user', timestamp: at(1) },
    'list it',
    { role: 'assistant', timestamp: at(2) },
    'Yes',
    ' \n \nand',
    '\n[tool: List]',
    { role: 'user', timestamp: at(1) },
    'x'.repeat(64 * 1024),
    'x'.repeat(100_000 - 64 * 1024),
    { role: 'notice', timestamp: at(5) },
    'the turn ended: refusal',
  ]);
});

describe('a history of any size', () => {
  // Less than the history: what held all of it would be ended by Node.
  const env = { NODE_OPTIONS: '--max-old-space-size=48' };
  const size = 64;

  /** A session of an earlier version: one turn of many pieces, and a line that is too long. */
  async function large(): Promise<{ state: string; cwd: string; text: string; pieces: number }> {
    const cwd = await temporary();
    const state = join(cwd, 'state');
    const id = 'large';
    await using sessions = new NamedSessions(join(state, 'turnwire'));
    const times = { createdAt: '2026-01-02T03:04:05.000Z', lastUsedAt: '2026-01-02T03:04:05.000Z' };
    await sessions.create({ schema: recordSchema, id, agent: { name: 'coder' }, cwd, ...times, settings: {} });
    const record = await sessions.read(id);
    await sessions.store.delete('named', id);
    await writeFile(join(sessions.folderOf(id), 'session.json'), JSON.stringify(record));
    await using file = await open(join(sessions.folderOf(id), 'history.jsonl'), 'w');
    // Half a character at the end of each piece, and the other half at the beginning of the next.
    const text = `\ude00${'one turn without end '.repeat(3_000)}\ud83d`;
    await file.appendFile(
      `${[{ schema: historySchema }, asked('go')].map((each) => JSON.stringify(each)).join('\n')}\n`,
    );
    const line = `${JSON.stringify(said(text))}\n`;
    const pieces = Math.ceil((size * 2 ** 20) / line.length);
    for (let piece = 0; piece < pieces; piece++) await file.appendFile(line);
    for (let written = 0; written < size; written++) await file.appendFile('x'.repeat(2 ** 20));
    await file.appendFile('\n');
    return { state, cwd, text, pieces };
  }

  test('is carried over, read, exported and imported in little memory, without the line that is too long', async () => {
    const { state, cwd, text, pieces } = await large();
    const run = (...words: string[]): ReturnType<typeof turnwire> =>
      turnwire(words, { cwd, env: { ...env, XDG_STATE_HOME: state } });
    const read = await run('sessions', 'read', '--format', 'json');
    const { entries } = JSON.parse(read.stdout) as { entries: readonly { text: string }[] };
    const answer = entries[1]?.text ?? '';
    const seam = answer.slice(text.length - 3, text.length + 3);
    expect([read.code, entries.length, answer.length / text.length, seam]).toEqual([0, 2, pieces, 'd 😀on']);
    expect(read.stderr).toContain(`lines ${pieces + 3} cannot be read, or are too long, and are left out`);
    const archive = join(cwd, 'archive.json');
    expect(await run('sessions', 'export', '--output', archive)).toMatchObject({ code: 0, stderr: '' });
    const imported = await run('sessions', 'import', archive, '--name', 'again', '--format', 'quiet');
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    const again = await run('sessions', 'read', 'again', '--format', 'json');
    expect((JSON.parse(again.stdout) as { entries: unknown }).entries).toEqual(entries);
  });
});
