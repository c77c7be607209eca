import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { NewEvent } from '@turnwire/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EntryPiece, historyEntries } from '../src/commands/sessions/history-entries.ts';
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

async function* batchesOf(...events: readonly TranscriptEvent[]): AsyncGenerator<readonly TranscriptEvent[], void> {
  for (const event of events) yield [event];
}

test('a history entry keeps the parts of a message and drops white space around them', async () => {
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

async function* batchesOfSize(pieces: number, piece: TranscriptEvent): AsyncGenerator<readonly NewEvent[], void> {
  const stored = (event: TranscriptEvent): NewEvent => ({
    at: event.at,
    type: event.type,
    payload: JSON.stringify(event),
  });
  yield [stored(asked('go'))];
  for (let number = 0; number < pieces; number++) yield [stored(piece)];
  yield [stored({ at: 3, type: 'turn-ended', turnId: '1', stopReason: 'end_turn' })];
}

describe('a history of any size', () => {
  // Less than the history: what held all of it would be ended by Node.
  const env = { NODE_OPTIONS: '--max-old-space-size=48' };
  const size = 64;

  /** A session with one turn of many pieces. */
  async function large(): Promise<{ state: string; cwd: string; text: string; pieces: number }> {
    const cwd = await temporary();
    const state = join(cwd, 'state');
    await using sessions = new NamedSessions(join(state, 'turnwire'));
    const times = { createdAt: '2026-01-02T03:04:05.000Z', lastUsedAt: '2026-01-02T03:04:05.000Z' };
    const record = {
      schema: recordSchema,
      id: 'large',
      agent: { name: 'coder' },
      cwd,
      ...times,
      settings: {},
    } as const;
    // Half a character at the end of each piece, and the other half at the beginning of the next.
    const text = `\ude00${'one turn without end '.repeat(3_000)}\ud83d`;
    const pieces = Math.ceil((size * 2 ** 20) / JSON.stringify(said(text)).length);
    await sessions.copy(record, {}, batchesOfSize(pieces, said(text)));
    return { state, cwd, text, pieces };
  }

  test('a large history is read, exported and imported with bounded memory', async () => {
    const { state, cwd, text, pieces } = await large();
    const run = (...words: string[]): ReturnType<typeof turnwire> =>
      turnwire(words, { cwd, env: { ...env, XDG_STATE_HOME: state } });
    const read = await run('sessions', 'read', '--format', 'json');
    const { entries } = JSON.parse(read.stdout) as { entries: readonly { text: string }[] };
    const answer = entries[1]?.text ?? '';
    const seam = answer.slice(text.length - 3, text.length + 3);
    expect([read.code, entries.length, answer.length / text.length, seam]).toEqual([0, 2, pieces, 'd 😀on']);
    const archive = join(cwd, 'archive.json');
    expect(await run('sessions', 'export', '--output', archive)).toMatchObject({ code: 0, stderr: '' });
    const imported = await run('sessions', 'import', archive, '--name', 'again', '--format', 'quiet');
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    const again = await run('sessions', 'read', 'again', '--format', 'json');
    expect((JSON.parse(again.stdout) as { entries: unknown }).entries).toEqual(entries);
  });
});
