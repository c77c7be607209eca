import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineAgent } from '@turnwire/agent';
import { isInside } from '@turnwire/machine';
import { FolderRecord } from '@turnwire/machine/folder-record';
import {
  errorCodes,
  ProtocolError,
  type ReviewedText,
  type ReviewOverview,
  type ReviewResult,
} from '@turnwire/protocol';
import { memoryStore } from '@turnwire/runtime';
import { TurnRecorder } from '@turnwire/runtime/review';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Gateway, type GatewayOptions } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { type TestClient, testClient, words } from './gateway-client.ts';

let base = '';
let project = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-review-')));
  project = join(base, 'project');
  await mkdir(join(project, 'own'), { recursive: true });
  git('init', '--quiet', '--initial-branch', 'main');
});
afterEach(() => rm(base, { recursive: true, maxRetries: 5 }));

const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: project, encoding: 'utf8' });
const read = (name: string): Promise<string> => readFile(join(project, name), 'utf8').catch(() => 'no file');
const lines = (first: string, last: string): string =>
  [first, ...Array.from({ length: 12 }, (_, at) => `line ${at}`), last].map((line) => `${line}\n`).join('');

/** A gateway with an agent that writes the files of its prompt, a JSON object, and repeats any other prompt. */
function gateway(root = project, options: Pick<GatewayOptions, 'placeOf'> = {}): Gateway {
  const agent = testAgent(
    defineAgent({
      info: { name: 'writer', version: '1.0.0' },
      prompt: async (turn) => {
        if (!turn.text.startsWith('{')) return void (await turn.say(turn.text));
        const files = JSON.parse(turn.text) as Readonly<Record<string, string>>;
        for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
      },
    }),
  );
  return new Gateway({
    ...options,
    store: memoryStore(),
    agents: { test: agent.hosted },
    cwd: project,
    admit: (wanted) => {
      if (isInside(root, wanted.cwd)) return wanted;
      throw new ProtocolError(errorCodes.invalidParams, 'not this folder');
    },
    recorder: ({ id, agent: name, cwd }) =>
      new TurnRecorder(new FolderRecord(cwd, join(base, 'records')), { sessionId: id, agent: name }),
  });
}

interface Reviewer extends TestClient {
  readonly sessionId: string;
  readonly ask: <Answer>(method: string, params?: object) => Promise<Answer>;
}

async function reviewer(served: Gateway, files: object, cwd = project): Promise<Reviewer> {
  const client = await testClient(served);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words(JSON.stringify(files)) });
  return {
    ...client,
    sessionId,
    ask: <Answer>(method: string, params: object = {}) =>
      client.peer.raw.request(method, { ...params, sessionId }) as Promise<Answer>,
  };
}

const refusal = (error: ProtocolError): string => error.message;

test('a client rejects a hunk, accepts the others, and sends a comment with its lines', async () => {
  await writeFile(join(project, 'a.txt'), lines('first', 'last'));
  await using served = gateway();
  const { ask, seen } = await reviewer(served, { 'a.txt': lines('FIRST', 'LAST'), 'b.txt': 'new\n' });
  const { files } = await ask<ReviewOverview>('_turnwire/review');
  const { hunks } = await ask<ReviewedText>('_turnwire/review_file', { path: 'a.txt' });
  await ask('_turnwire/review_comment', { path: 'a.txt', lines: [1, 2], text: 'why?' });
  const [kept, rejected] = hunks.map(({ id }) => [{ path: 'a.txt', hunks: [id] }]);
  const results = [
    await ask('_turnwire/review_decide', { decision: 'reject', changes: rejected }),
    await ask('_turnwire/review_decide', { decision: 'accept', changes: kept }),
    await ask('_turnwire/review_decide', {
      decision: 'accept',
      changes: [{ path: 'b.txt', version: files[1]?.version }],
    }),
  ];
  const { comments, ...left } = await ask<ReviewOverview>('_turnwire/review');
  await ask('_turnwire/review_send');
  await expect.poll(() => seen.join('\n')).toContain('> FIRST\n> line 0\nwhy?');
  const after = await ask<ReviewOverview>('_turnwire/review');
  expect({
    files: files.map(({ version: _, ...file }) => file),
    results,
    left: left.files,
    comments: comments.map(({ path, code }) => ({ path, code })),
    after: after.comments,
    text: await read('a.txt'),
  }).toEqual({
    files: [
      { path: 'a.txt', change: 'changed', added: 2, removed: 2, hunks: 2 },
      { path: 'b.txt', change: 'added', added: 1, removed: 0, hunks: 1 },
    ],
    results: Array(3).fill({ failures: [] }),
    left: [],
    comments: [
      { path: 'a.txt', code: 'FIRST\nline 0' },
      { path: 'a.txt', code: ' line 9\n line 10\n line 11\n-last\n+LAST' },
    ],
    after: [],
    text: lines('FIRST', 'last'),
  });
});

test('a decision does not apply to a file or a hunk that has changed since the client saw it', async () => {
  await using served = gateway();
  const { ask } = await reviewer(served, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
  const { files } = await ask<ReviewOverview>('_turnwire/review');
  const { hunks } = await ask<ReviewedText>('_turnwire/review_file', { path: 'b.txt' });
  await writeFile(join(project, 'a.txt'), 'two\n');
  await writeFile(join(project, 'b.txt'), 'two\n');
  const changes = [
    { path: 'a.txt', version: files[0]?.version },
    { path: 'b.txt', hunks: hunks.map(({ id }) => id) },
  ];
  const why = 'it has changed since you saw it; check it again';
  expect([
    await ask('_turnwire/review_decide', { decision: 'reject', changes }),
    await ask('_turnwire/review_decide', { decision: 'accept', changes }),
    await read('a.txt'),
    (await ask<ReviewOverview>('_turnwire/review')).files.length,
  ]).toEqual([
    {
      failures: [
        { path: 'a.txt', why },
        { path: 'b.txt', why },
      ],
    },
    {
      failures: [
        { path: 'a.txt', why },
        { path: 'b.txt', why },
      ],
    },
    'two\n',
    2,
  ]);
});

test('a turn is undone once, and only by a client of its session', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  await using served = gateway();
  const { ask } = await reviewer(served, { 'a.txt': 'two\n' });
  const other = await reviewer(served, { 'b.txt': 'other\n' });
  const { turns } = await ask<ReviewOverview>('_turnwire/review');
  const [turn] = turns.map(({ number }) => number);
  const foreign = await other.ask('_turnwire/review_undo', { turn }).catch(refusal);
  const undone = await ask('_turnwire/review_undo', { turn });
  expect({
    foreign,
    undone,
    again: await ask('_turnwire/review_undo', { turn }).catch(refusal),
    texts: [await read('a.txt'), await read('b.txt')],
  }).toEqual({
    foreign: `turn ${turn} of this session cannot be undone`,
    undone: { restored: ['a.txt'], failures: [] },
    again: `turn ${turn} of this session cannot be undone`,
    texts: ['one\n', 'other\n'],
  });
});

test('an observer neither reads the review nor changes anything', async () => {
  await using served = gateway();
  const { sessionId, ask } = await reviewer(served, { 'a.txt': 'one\n' });
  const { peer } = await testClient(served, { principal: { tenant: 'local', scope: 'observe' } });
  await peer.request('session/resume', { cwd: project, sessionId, mcpServers: [] });
  const { files } = await ask<ReviewOverview>('_turnwire/review');
  const changes = files.map(({ path, version }) => ({ path, version }));
  const tries = {
    review: {},
    review_file: { path: 'a.txt' },
    review_patch: {},
    review_commit: {},
    review_decide: { decision: 'reject', changes },
    review_comment: { path: 'a.txt', text: 'no' },
    review_forget: { comment: { path: 'a.txt', text: 'no' } },
    review_send: {},
    review_undo: { turn: 1 },
  };
  const refused = await Promise.all(
    Object.entries(tries).map(([method, params]) =>
      peer.raw.request(`_turnwire/${method}`, { sessionId, ...params }).catch(refusal),
    ),
  );
  const only = 'This client may only watch: it is connected as an observer';
  expect([files.length, refused, await read('a.txt')]).toEqual([1, Array(9).fill(only), 'one\n']);
});

test('a client that may use only a part of the repository sees and changes only that part', async () => {
  const own = join(project, 'own');
  await using served = gateway(own);
  const { ask } = await reviewer(served, { 'own/a.txt': 'one\n', 'secret.txt': 'two\n' }, own);
  const { files, turns } = await ask<ReviewOverview>('_turnwire/review');
  const version = 'a:b';
  expect([
    files.map(({ path }) => path),
    await ask('_turnwire/review_file', { path: 'secret.txt' }).catch(refusal),
    await ask('_turnwire/review_comment', { path: 'secret.txt', lines: [1, 1], text: 'x' }).catch(refusal),
    await ask('_turnwire/review_decide', { decision: 'reject', changes: [{ path: 'secret.txt', version }] }),
    await ask('_turnwire/review_undo', { turn: turns[0]?.number }).catch(refusal),
    await read('secret.txt'),
  ]).toEqual([
    ['own/a.txt'],
    'secret.txt has no changes to review',
    'secret.txt has no changes to review',
    { failures: [{ path: 'secret.txt', why: 'it has changed since you saw it; check it again' }] },
    'turn 1 changed files outside of the folders that you may use',
    'two\n',
  ]);
});

test('a client commits what it accepted, and gets the rest as a patch', async () => {
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  await using served = gateway();
  const { ask } = await reviewer(served, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const { files, branch } = await ask<ReviewOverview>('_turnwire/review');
  const changes = files.slice(0, 1).map(({ path, version }) => ({ path, version }));
  await ask('_turnwire/review_decide', { decision: 'accept', changes });
  const { commit } = await ask<ReviewOverview>('_turnwire/review');
  const made = await ask<{ readonly files: readonly string[] }>('_turnwire/review_commit', { message: 'the first' });
  const { patch } = await ask<{ readonly patch: string }>('_turnwire/review_patch');
  expect({
    branch,
    proposed: commit?.files,
    made: made.files,
    log: git('log', '--format=%an %s').trim(),
    patch: Buffer.from(patch, 'base64').toString().split('\n').at(-2),
    again: await ask('_turnwire/review_commit').catch(refusal),
  }).toEqual({
    branch: 'main',
    proposed: ['a.txt'],
    made: ['a.txt'],
    log: 'Ada the first',
    patch: '+two',
    again: 'nothing that was accepted is uncommitted; accept changes first, or commit all of them',
  });
});

test('a path that no file can have is one without changes, and a decision applies to the others', async () => {
  await using served = gateway();
  const { ask } = await reviewer(served, { 'a.txt': 'one\n' });
  const { files } = await ask<ReviewOverview>('_turnwire/review');
  const paths = ['', '../a.txt', join(base, 'a.txt'), 'a\0b', 'a/./b', 'a'.repeat(200_000)];
  const shown = await Promise.all(paths.map((path) => ask('_turnwire/review_file', { path }).catch(refusal)));
  const changes = [...paths, 'a.txt'].map((path) => ({ path, version: files[0]?.version }));
  const { failures } = await ask<ReviewResult>('_turnwire/review_decide', { decision: 'accept', changes });
  expect({
    shown,
    failed: failures.map(({ path }) => path),
    left: (await ask<ReviewOverview>('_turnwire/review')).files,
    message: await ask('_turnwire/review_commit', { message: 'a\0b' }).catch(refusal),
  }).toEqual({
    shown: paths.map((path) => `${path} has no changes to review`),
    failed: paths,
    left: [],
    message: '_turnwire/review_commit: message is a text of up to 20,000 characters, without NUL',
  });
});

test('comments that two clients send at the same time reach the agent once', async () => {
  await using served = gateway();
  const { ask } = await reviewer(served, { 'a.txt': 'one\n' });
  await ask('_turnwire/review_comment', { path: 'a.txt', text: 'why?' });
  const send = (): Promise<string> => ask('_turnwire/review_send').then(() => 'sent', refusal);
  expect((await Promise.all([send(), send()])).toSorted()).toEqual([
    '_turnwire/review_send: there is no comment to send',
    'sent',
  ]);
});

test('a place whose record is damaged has no name in the review', async () => {
  const placeOf = (): never => {
    throw new Error('the record of the place is damaged');
  };
  await using served = gateway(project, { placeOf });
  const { ask } = await reviewer(served, { 'a.txt': 'one\n' });
  const { files, place } = await ask<ReviewOverview>('_turnwire/review');
  expect([files.length, place]).toEqual([1, undefined]);
});
