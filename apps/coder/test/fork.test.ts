import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CoderProcess, type CoderSession } from './coder-process.ts';

let state: string;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'state-'));
});

afterEach(() => rm(state, { recursive: true, force: true }));

interface Forked {
  readonly sessionId: string;
  readonly _meta?: { readonly turnwire: { readonly restored: string } };
}

async function fork(coder: CoderProcess, { id, folder }: CoderSession, turnwire: object = {}): Promise<Forked> {
  const request = { sessionId: id, cwd: folder, mcpServers: [], _meta: { turnwire } };
  return (await coder.client.raw.request('session/fork', request)) as Forked;
}

/** A session that has replaced a word three times, in a mode without questions. */
async function threeTurns(coder: CoderProcess): Promise<CoderSession> {
  const session = await coder.open({ 'a.txt': 'one\n' });
  await session.prompt('read a.txt then replace "one" with "two" in a.txt');
  await session.prompt('read a.txt then replace "two" with "three" in a.txt');
  await session.prompt('create b.txt with "b"');
  return session;
}

test('a fork has the conversation so far, and its source session continues independently', async () => {
  await using coder = await CoderProcess.start(state);
  const session = await threeTurns(coder);
  const { sessionId, ...rest } = await fork(coder, session);
  const { sessions } = await coder.client.request('session/list', { cwd: session.folder });
  await coder.client.request('session/close', { sessionId });
  const forked = await coder.load({ id: sessionId, folder: session.folder } as CoderSession);
  const prompts = forked.updates.flatMap((update) =>
    update.sessionUpdate === 'user_message_chunk' && update.content.type === 'text' ? [update.content.text] : [],
  );
  const again = (await forked.prompt('/undo')).said;
  const here = (await session.prompt('/undo')).said;
  expect({ rest: Object.keys(rest), titles: sessions.map(({ title }) => title), prompts, again, here }).toEqual({
    rest: ['modes', 'configOptions'],
    titles: Array(2).fill('read a.txt then replace "one" with "two" in a.txt'),
    prompts: [
      'read a.txt then replace "one" with "two" in a.txt',
      'read a.txt then replace "two" with "three" in a.txt',
      'create b.txt with "b"',
    ],
    again: 'Dropped from the conversation: `create b.txt with "b"`\n\nRestored:\n- `b.txt` (removed)',
    here: 'Dropped from the conversation: `create b.txt with "b"`\n\nNo file had to be restored.',
  });
});

test('a fork without the last turns restores the files only if the client requests it', async () => {
  await using coder = await CoderProcess.start(state);
  const session = await threeTurns(coder);
  const alone = await fork(coder, session, { withoutLast: 2 });
  const before = [await session.files(), await session.read('a.txt')];
  const { _meta } = await fork(coder, session, { withoutLast: 2, restoreFiles: true });
  const after = [await session.files(), await session.read('a.txt')];
  const left = (await session.prompt('/undo 2')).said.match(/Dropped[^\n]*|There is[^\n]*/g);
  expect({ alone: alone._meta, before, restored: _meta?.turnwire.restored, after, left }).toEqual({
    alone: undefined,
    before: [['a.txt', 'b.txt'], 'three\n'],
    restored: [
      'Dropped from the conversation: `create b.txt with "b"`',
      'Restored:\n- `b.txt` (removed)',
      'Dropped from the conversation: `read a.txt then replace "two" with "three" in a.txt`',
      'Restored:\n- `a.txt` (restored)',
    ].join('\n\n'),
    after: [['a.txt'], 'two\n'],
    left: ['Dropped from the conversation: `read a.txt then replace "one" with "two" in a.txt`'],
  });
});
