import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderRecord } from '@turnwire/machine/folder-record';
import { attachAgent } from '@turnwire/client';
import { stdioTransport } from '@turnwire/transports/stdio';
import { commandWords, type Outcome, turnwire } from './command.ts';

let base = '';
let project = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-review-')));
  project = join(base, 'project');
  await mkdir(project);
});
afterEach(() => rm(base, { recursive: true, maxRetries: 5 }));

const state = (): { readonly XDG_STATE_HOME: string } => ({ XDG_STATE_HOME: join(base, 'state') });
const review = (...words: readonly string[]): Promise<Outcome> =>
  turnwire(['review', ...words], { cwd: project, env: state() });
const read = (name: string): Promise<string> => readFile(join(project, name), 'utf8');

/** Records a turn that writes files, as chats and sessions record theirs. */
async function turn(files: Readonly<Record<string, string>>): Promise<void> {
  const record = new FolderRecord(project, join(base, 'state', 'turnwire', 'reviews'));
  const begun = await record.begin({ id: 't', sessionId: 's', agent: 'coder', prompt: 'change files\nin two lines' });
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  await record.end(begun);
}

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
const middle = Array.from({ length: 12 }, (_, at) => `line ${at}`);

test('changes are listed, accepted and rejected by file and by hunk', async () => {
  await writeFile(join(project, 'a.txt'), lines('first', ...middle, 'last'));
  await turn({ 'a.txt': lines('FIRST', ...middle, 'LAST'), 'new.txt': 'new\n' });
  const listed = await review();
  const accepted = await review('accept', 'a.txt:1');
  const rejected = await review('reject', 'a.txt', 'new.txt');
  expect({
    listed: listed.stdout.replaceAll(/[0-9a-f]{8}/g, 'ID').split('\n'),
    codes: [listed, accepted, rejected].map(({ code }) => code),
    left: (await review()).stdout,
    text: await read('a.txt'),
    made: await read('new.txt').catch(() => 'gone'),
  }).toEqual({
    listed: [
      'a.txt  +2 −2',
      '  a.txt:1  ID  line 1',
      '  a.txt:2  ID  line 11',
      'new.txt  added, +1 −0',
      '  new.txt:1  ID  line 1',
      '',
    ],
    codes: [0, 0, 0],
    left: 'Nothing to review: no agent has changed a file here since the last review.\n',
    text: lines('FIRST', ...middle, 'last'),
    made: 'gone',
  });
});

test('the printed patch is one that git applies', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  await turn({ 'a.txt': 'two\n', 'über.txt': 'new\n' });
  const { stdout } = await review('diff');
  await rm(join(project, 'über.txt'));
  await writeFile(join(project, 'a.txt'), 'one\n');
  execFileSync('git', ['apply', '-'], { cwd: project, input: stdout });
  expect([await read('a.txt'), await read('über.txt')]).toEqual(['two\n', 'new\n']);
});

test('a turn is undone, and a file that has changed since is left with a message', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  await writeFile(join(project, 'b.txt'), 'one\n');
  await turn({ 'a.txt': 'two\n', 'b.txt': 'two\n' });
  await turn({ 'b.txt': 'three\n' });
  const turns = await review('turns');
  const undone = await review('reject', '--turn', '1');
  expect({
    turns: turns.stdout.replaceAll(/\d{4}-\S+Z/g, 'TIME').split('\n'),
    undone: [undone.code, undone.stderr],
    files: [await read('a.txt'), await read('b.txt')],
  }).toEqual({
    turns: ['1\tTIME\tcoder\tchange files', '2\tTIME\tcoder\tchange files', ''],
    undone: [1, expect.stringContaining('b.txt is left as it is: it was changed since')],
    files: ['one\n', 'three\n'],
  });
});

test('an interrupted turn is not undone as a whole, only files that are named', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  const record = new FolderRecord(project, join(base, 'state', 'turnwire', 'reviews'));
  await record.begin({ id: 't', sessionId: 's', agent: 'coder', prompt: 'work' });
  await writeFile(join(project, 'a.txt'), 'two\n');
  await writeFile(join(project, 'mine.txt'), 'mine\n');
  const whole = await review('reject', '--turn', '1');
  const named = await review('reject', '--turn', '1', 'a.txt');
  expect([whole.code, whole.stderr, named.code, await read('a.txt'), await read('mine.txt')]).toEqual([
    1,
    expect.stringContaining('turn 1 is left as it is: the turn was interrupted'),
    0,
    'one\n',
    'mine\n',
  ]);
});

test('a name that no change has is refused, and nothing happens', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  await turn({ 'a.txt': 'two\n' });
  const wrong = [await review('reject', 'a.txt', 'b.txt'), await review('reject', 'a.txt:2'), await review('accept')];
  expect([wrong.map(({ code, stderr }) => [code, stderr.split('\n')[0]]), await read('a.txt')]).toEqual([
    [
      [2, 'turnwire: b.txt: no change has this name; turnwire review lists them'],
      [2, 'turnwire: a.txt:2: a.txt has 1 hunk'],
      [2, 'turnwire: name files or hunks, or use --all; turnwire review lists them'],
    ],
    'two\n',
  ]);
});

/** An agent that answers with the text of its prompt. */
const echoAgent = `
import { createInterface } from 'node:readline';
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') write({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === 'session/new') write({ id, result: { sessionId: 's' } });
  if (method !== 'session/prompt') continue;
  const update = { sessionUpdate: 'agent_message_chunk', content: params.prompt[0] };
  write({ method: 'session/update', params: { sessionId: 's', update } });
  write({ id, result: { stopReason: 'end_turn' } });
}
`;

test('comments on lines are sent to the agent with their locations, and then removed', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  await turn({ 'a.txt': 'one\ntwo\nthree\n' });
  const made = [
    await review('comment', 'a.txt:2-3', 'say', 'hello'),
    await review('comment', 'a.txt', 'why?'),
    await review('comment', 'a.txt:9', 'nothing there'),
  ];
  const listed = await review('comments');
  await writeFile(join(base, 'echo.mjs'), echoAgent);
  const agent = `'${process.execPath}' '${join(base, 'echo.mjs')}'`;
  const sent = await turnwire(['--agent', agent, 'review', 'send'], { cwd: project, env: offline() });
  expect({
    made: made.map(({ code, stderr }) => [code, stderr]),
    listed: listed.stdout,
    sent: [sent.code, sent.stdout],
    rest: (await review('comments')).stdout,
  }).toEqual({
    made: [
      [0, ''],
      [0, ''],
      [2, 'turnwire: a.txt has 4 lines\nSee turnwire --help.\n'],
    ],
    listed:
      'I have reviewed your changes. Please address these comments:\n\na.txt:2-3\n> two\n> three\nsay hello\n\na.txt\nwhy?\n',
    sent: [0, listed.stdout],
    rest: '',
  });
});

const offline = (): Readonly<Record<string, string>> => ({
  ...state(),
  XDG_CONFIG_HOME: join(base, 'config'),
  XDG_DATA_HOME: join(base, 'data'),
  TURNWIRE_CODER_MODEL: 'offline',
});
const exec = (prompt: string): Promise<Outcome> =>
  turnwire(['coder', 'exec', '--approve-all', prompt], { cwd: project, env: offline() });

test('exec records a turn that ran a command, and none that only read', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  await exec('read a.txt');
  const nothing = await review('turns');
  await exec('run echo new > made.txt');
  const { stdout } = await review('--format', 'json');
  const turns = await review('turns');
  expect([nothing.stdout, (JSON.parse(stdout) as { files: { path: string }[] }).files.map(({ path }) => path)]).toEqual(
    ['', ['made.txt']],
  );
  expect(turns.stdout.split('\n')).toHaveLength(2);
});

test('a proxy for an editor records turns, unless the configuration turns that off', async () => {
  const turnOf = async (prompt: string): Promise<void> => {
    const words = [...commandWords, '--cwd', project, 'coder', 'proxy', '--approve-all'];
    const child = spawn(process.execPath, words, {
      env: { ...process.env, ...offline() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const agent = await attachAgent(stdioTransport({ input: child.stdout, output: child.stdin }));
    await (await agent.newSession({ cwd: project })).prompt(prompt);
    await agent.close();
    child.stdin.end();
    await ended;
  };
  await turnOf('create a.txt with "one"');
  await mkdir(join(base, 'config', 'turnwire'), { recursive: true });
  await writeFile(join(base, 'config', 'turnwire', 'config.json'), JSON.stringify({ review: false }));
  await review('accept', '--all');
  await turnOf('create b.txt with "one"');
  // The built-in agent then records its turns itself, for /undo: without the client's id of the session.
  const turns = await new FolderRecord(project, join(base, 'state', 'turnwire', 'reviews')).turns();
  expect(turns.map(({ prompt, agentSessionId }) => [prompt, agentSessionId !== undefined])).toEqual([
    ['create a.txt with "one"', true],
    ['create b.txt with "one"', false],
  ]);
});

test('accepted changes are committed with the message of the user, or that of the prompt', async () => {
  const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: project, encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  await turn({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  await review('accept', 'a.txt');
  const first = await review('commit');
  const all = await review('commit', '--all', '-m', 'the rest');
  const again = await review('commit');
  expect({
    codes: [first, all, again].map(({ code }) => code),
    first: first.stdout.replace(/[0-9a-f]{10}/, 'ID'),
    warned: first.stderr,
    again: again.stderr,
    log: git('log', '--format=%an: %s', '--name-only').trim().split(/\n+/),
  }).toEqual({
    codes: [0, 0, 1],
    first: 'committed one file: ID change files\n',
    warned: expect.stringContaining('one file with changes that were not accepted: turnwire review lists them'),
    again: expect.stringContaining('nothing that was accepted is uncommitted'),
    log: ['Ada: the rest', 'b.txt', 'Ada: change files', 'a.txt'],
  });
});
