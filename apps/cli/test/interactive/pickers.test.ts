/* oxlint-disable no-control-regex -- escape sequences are looked for */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ago } from '@turnwire/client/view';
import { NamedSessions } from '../../src/store/named-sessions.ts';
import { recordSchema, type SessionRecord } from '../../src/store/session-record.ts';
import { turnwire } from '../command.ts';
import { beginChat, inEmulator, keys, showyAgent } from './emulator.ts';

const since = (time: string): string => ago(Date.now() - Date.parse(`${time}:00Z`));

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-pickers-')));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src', 'reader.ts'), 'export {};\n');
  await writeFile(join(folder, 'src', 'writer.ts'), 'export {};\n');
  await writeFile(join(folder, 'two words.txt'), 'x\n');
  await writeFile(
    join(folder, 'photo.png'),
    Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'),
  );
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

test('Shift-Tab selects the next mode; one that does not ask is confirmed once, and shown in red', async () => {
  const run = await beginChat(folder, { colour: true });
  run.type(keys.shiftTab);
  const question = await run.until('Switch to Just code');
  expect(question.slice(-4, -1)).toEqual([
    '? Switch to mode "Just code"? Its description: edits without asking',
    '❯ 1 Switch to Just code (y)',
    '  2 No, and skip it when I press Shift-Tab (n)',
  ]);
  run.type('y');
  await run.until('Small one · Just code');
  expect(run.sent).toContain('\u001b[31mJust code\u001b[39m');
  run.type(keys.shiftTab);
  await run.until('Small one · Ask first');
  run.type(keys.shiftTab);
  await run.until('Small one · Just code');
});

test('Esc leaves the question about a mode open; after "no", Shift-Tab skips that mode', async () => {
  const run = await beginChat(folder);
  run.type(keys.shiftTab);
  await run.until('Switch to Just code');
  run.type(keys.escape);
  await run.until('› type a prompt');
  run.type(keys.shiftTab);
  await run.until('Switch to Just code');
  run.type('n');
  await run.until('› type a prompt');
  run.type(`${keys.shiftTab}say still asking${keys.enter}`);
  await run.until('\nstill asking');
  expect(run.screen.at(-1)).toContain('Small one · Ask first');
});

test('values complete after /mode, /model and /config, and Enter selects one', async () => {
  const run = await beginChat(folder);
  run.type('/mode ');
  const all = await run.until('Just code  edits');
  run.type('cod');
  const some = await run.until((lines) => lines.includes('❯ Just code  edits without asking'));
  run.type(keys.enter);
  await run.until('Small one · Just code');
  run.type('/config web');
  await run.until('web off');
  run.type(` on${keys.enter}`);
  await run.until('› type a prompt');
  run.type(`/config web maybe${keys.enter}`);
  await run.until('there is no option with such a value: web maybe');
  expect([all.slice(-4, -1), some.slice(-3, -1)]).toEqual([
    ['› /mode', '  Ask first', '  Just code  edits without asking'],
    ['› /mode cod', '❯ Just code  edits without asking'],
  ]);
});

test('/mode selects a mode', async () => {
  const run = await beginChat(folder);
  run.type(`/mode${keys.enter}`);
  const screen = await run.until('Type to search');
  expect(screen.slice(-6, -1)).toEqual([
    'Mode 2',
    '/',
    '❯ Ask first ✓',
    '  Just code    edits without asking',
    'Type to search · ↑↓ Enter · Esc goes back',
  ]);
  run.type(`code${keys.enter}`);
  await run.until('Small one · Just code');
});

test('/mode and /model accept a name or an id, and list the choices for an unknown one', async () => {
  const run = await beginChat(folder);
  run.type(`/mode CODE${keys.enter}`);
  await run.until('Just code');
  run.type(`/model large one${keys.enter}`);
  await run.until('Large one · Just code');
  run.type(`/model huge${keys.enter}`);
  expect((await run.until('there is no')).join('\n')).toContain(
    'there is no model huge; there are: Small one, Large one',
  );
});

test('/model selects a model, and /config any option', async () => {
  const run = await beginChat(folder);
  run.type(`/model${keys.enter}`);
  await run.until('Type to search');
  run.type(keys.down + keys.enter);
  await run.until('Large one · Ask first');
  run.type(`/config${keys.enter}`);
  await run.until('Web access  off');
  run.type(keys.down + keys.enter);
  await run.until('❯ off');
  run.type(keys.up + keys.enter);
  await run.until('type a prompt');
  run.type(`/config${keys.enter}`);
  expect((await run.until('Web access  on')).join('\n')).toContain('Web access  on');
});

test('/sessions lists and searches the other sessions of the agent, and continues one', async () => {
  const empty = `${folder}-empty`;
  onTestFinished(() => rm(empty, { recursive: true, force: true, maxRetries: 5 }));
  const run = await beginChat(folder, { env: { XDG_STATE_HOME: empty } });
  run.type(`say hello${keys.enter}`);
  await run.until('\nhello');
  run.type(`/sessions${keys.enter}`);
  // The list comes first, and its mark a moment later.
  const screen = await run.until((lines) =>
    ['❯ Fix', '  Release'].every((row) => lines.some((line) => line.startsWith(row))),
  );
  const place = screen.findIndex((line) => line.includes('Fix the parser'));
  expect(screen.slice(place, place + 3)).toEqual([
    `❯ Fix the parser   ${since('2026-01-01T10:00')}`,
    `  Write the tests  ${since('2026-01-02T10:00')}`,
    `  Release          ${since('2026-01-03T10:00')}`,
  ]);
  run.type(`tests${keys.enter}`);
  expect(await run.until('what was once answered\n\n')).toEqual(expect.arrayContaining(['› what I once asked']));
  run.type(`say more${keys.enter}`);
  await run.until('\nmore');
});

test.each([
  ['an error', 'evil-list', 'no list'],
  ['a list that never ends', 'evil-circle', 'repeats the cursor'],
])('/sessions shows %s without control sequences', async (_, mode, told) => {
  const run = inEmulator(['--agent', showyAgent(mode), '--cwd', folder], { columns: 200 });
  await run.until('Ask first');
  run.type(`/sessions${keys.enter}`);
  const screen = await run.until(told);
  const title = screen.findIndex((line) => line.startsWith('Sessions '));
  expect(screen.slice(title + 1, title + 2)).toEqual(['/']);
  const ours = run.sent.replaceAll(
    /\u001b\[(?:\?(?:25|7|1004|2004|2026)[hl]|2[23];2t|[0-9]*[ABCKJ]|\?u)|\u001b\]11;\?\u001b\\|\u001b\]2;(?:turnwire|● asks) · [\w.-]+\u0007|\r\n|\r/g,
    '',
  );
  expect(ours.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028]/gu)).toBe(null);
});

test('/sessions includes the sessions of other commands in this folder, and loads them by the id of the agent', async () => {
  const state = join(folder, 'state');
  await using sessions = new NamedSessions(join(state, 'turnwire'));
  const keep = async (id: string, facts: Partial<SessionRecord> & { readonly isPrompted?: false }): Promise<void> => {
    const { lastUsedAt = '2026-01-05T09:00:00Z', sessionId = `kept-${id}`, isPrompted, ...more } = facts;
    const times = { createdAt: '2026-01-01T09:00:00Z', lastUsedAt };
    const agent = { command: showyAgent() };
    const record = { schema: recordSchema, id, agent, cwd: folder, settings: {}, ...times, ...more } as const;
    const begun = { agentSessionId: sessionId, setUpAt: Date.parse(times.createdAt) };
    await sessions.create(record, { ...begun, ...(isPrompted !== false && { isPrompted: true }) });
  };
  await keep('a', { name: 'review' });
  await keep('b', { title: 'Tidy up', lastUsedAt: '2026-01-06T09:00:00Z' });
  await keep('c', { sessionId: 'old-0', name: 'parser', lastUsedAt: '2026-01-04T09:00:00Z' });
  await keep('closed', { closedAt: '2026-01-05T09:00:00Z' });
  await keep('unprompted', { isPrompted: false });
  await keep('elsewhere', { cwd: '/' });
  await keep('other', { agent: { name: 'coder' } });
  const run = await beginChat(folder, { env: { XDG_STATE_HOME: state } });
  run.type(`/sessions${keys.enter}`);
  const screen = await run.until('Release');
  const place = screen.findIndex((line) => line.startsWith('❯ '));
  expect(screen.slice(place, place + 5).map((line) => line.replace(/, 0 turns, [0-9a-f]{4}$/, ', ID'))).toEqual([
    `❯ Tidy up          ${since('2026-01-06T09:00')}, ID`,
    `  review: -        ${since('2026-01-05T09:00')}, ID`,
    `  parser: -        ${since('2026-01-04T09:00')}, ID`,
    `  Write the tests  ${since('2026-01-02T10:00')}`,
    `  Release          ${since('2026-01-03T10:00')}`,
  ]);
  run.type(`review${keys.enter}`);
  await run.until('what was once answered\n\n');
});

test('/sessions shows stored sessions while the agent starts, then adds those of the agent', async () => {
  const env = { XDG_STATE_HOME: join(folder, 'slow') };
  const agent = showyAgent('slow');
  await turnwire(['--agent', agent, '--cwd', folder, 'exec', 'say kept words'], { env });
  const run = inEmulator(['--agent', agent, '--cwd', folder], { env });
  await run.until('you can type already');
  run.type(`/sessions${keys.enter}`);
  const early = await run.until('say kept words');
  await run.until('Fix the parser');
  expect(early.join('\n')).toContain('loading …');
});

test('commands of the chat complete, and the agent’s /review gets the text that is typed after it', async () => {
  const run = await beginChat(folder);
  run.type('/re');
  expect(await run.until('/restart')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/\/review +accept or reject what agents changed/),
      expect.stringMatching(/\/restart +restart an agent/),
    ]),
  );
  run.type('vi\t');
  await run.until('› /review');
  run.type(` this${keys.enter}`);
  await run.until('heard review this');
});

test('an incomplete command runs as the selected completion', async () => {
  const run = await beginChat(folder);
  run.type('/hel');
  await run.until('❯ /help');
  run.type(keys.enter);
  await run.until('/quit');
  expect(run.everything).toContain('Type a prompt. @ names a file, / begins a command.');
});

test('files complete after @ and are sent with the prompt', async () => {
  const run = await beginChat(folder);
  run.type('blocks @rdr');
  await run.until('❯ src/reader.ts');
  run.type('\t');
  await run.until('› blocks @src/reader.ts');
  run.type('@two');
  await run.until('❯ two words.txt');
  run.type(`\t${keys.enter}`);
  expect((await run.until('text resource resource')).join('\n')).toContain('text resource resource');
});

test('an image is attached by command or by pasting its path', async () => {
  const run = await beginChat(folder);
  run.type(`/image photo.png${keys.enter}`);
  await run.until('with an image: photo.png');
  run.type(`blocks${keys.enter}`);
  await run.until('text image');
  run.type(keys.paste(`'${join(folder, 'photo.png')}'`));
  await run.until('with an image: photo.png');
  run.type(`/image none.png${keys.enter}`);
  const missing = await run.until('there is no file none.png');
  run.type(`/image two words.txt${keys.enter}`);
  const other = await run.until('two words.txt is not an image file');
  expect([missing.at(-1), other.at(-1)]).toEqual([
    expect.stringContaining('there is no file none.png'),
    expect.stringContaining('two words.txt is not an image file (.png, .jpg, .gif or .webp)'),
  ]);
});

test('a misspelt file after @ is sent as text with a warning', async () => {
  const run = await beginChat(folder);
  run.type(`blocks @src/raeder.ts ${keys.enter}`);
  await run.until('@src/raeder.ts is sent as text: there is no such file in the folder');
  expect(await run.until('\ntext\n')).toContain('text');
});

test('a required login is announced and chosen, and the session starts', async () => {
  const run = inEmulator(['--agent', showyAgent('login'), '--cwd', folder]);
  await run.until('requires a login');
  run.type(`/login${keys.enter}`);
  await run.until('❯ With a key');
  run.type(keys.enter);
  expect((await run.until('Ask first')).join('\n')).toContain('Ask first');
});

test('--model is set when the session starts, and an unknown one is reported', async () => {
  const run = inEmulator(['--agent', showyAgent(), '--cwd', folder, '--model', 'large']);
  expect((await run.until('Large one')).at(-1)).toContain('Large one · Ask first');
  const other = inEmulator(['--agent', showyAgent(), '--cwd', folder, '--model', 'huge']);
  expect((await other.until('huge')).join(' ')).toContain('has no value "huge"');
});
