import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { beginChat, type Emulator, type EmulatorOptions, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-turns-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const begin = (options: EmulatorOptions = {}): Promise<Emulator> => beginChat(folder, options);

test('a chat shows prompts and answers, and /exit leaves it', async () => {
  const run = await begin();
  run.type(`say hello${keys.enter}`);
  await run.until('\nhello\n\n───');
  run.type(`/exit${keys.enter}`);
  expect(await run.exitCode).toBe(0);
  expect(run.everything).toEqual([
    `turnwire 0.1.0 in ${folder}`,
    '',
    '› say hello',
    '',
    'hello',
    expect.stringMatching(/^Resume with: turnwire --resume [0-9a-f]+$/),
  ]);
});

test('an answer appears while it streams, with its Markdown rendered', async () => {
  const run = await begin();
  run.type(
    `parts # Head|ing\n\nSome *te|xt* with \`code\`.\n\n- one\n- t|wo\n\n\`\`\`js\nlet a;\n|\`\`\`\n${keys.enter}`.replaceAll(
      '\n',
      '\u001b\r',
    ),
  );
  await run.until('let a;\n\n───');
  const lines = run.everything;
  const editor = lines.findIndex((line) => line.startsWith('───'));
  expect(lines.slice(2, editor)).toEqual([
    '› parts # Head|ing',
    '',
    '  Some *te|xt* with `code`.',
    '',
    '  - one',
    '  - t|wo',
    '',
    '  ```js',
    '  let a;',
    '  |```',
    '',
    'Heading',
    '',
    'Some text with code.',
    '',
    '• one',
    '• two',
    '',
    '  js',
    '  let a;',
    '',
  ]);
});

test('a running tool call shows its last lines, and a finished one its result', async () => {
  const run = await begin();
  const output = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'a',
    title: 'Run the tests',
    kind: 'execute',
    status: 'in_progress',
    rawInput: { command: 'npm test' },
  };
  const content = [{ type: 'content', content: { type: 'text', text: output } }];
  run.type(keys.paste(`thenHang ${JSON.stringify([call, { ...call, sessionUpdate: 'tool_call_update', content }])}`));
  run.type(keys.enter);
  await run.until('│ line 30');
  expect(run.screen.filter((line) => /tests|npm|│|…/.test(line)).slice(-8)).toEqual([
    expect.stringMatching(/^. Run the tests/),
    '  $ npm test',
    '  … 25 earlier lines',
    '  │ line 26',
    '  │ line 27',
    '  │ line 28',
    '  │ line 29',
    '  │ line 30',
  ]);
  run.type(keys.escape);
  await run.until('(the turn was cancelled)');
  expect(run.everything.filter((line) => /tests/.test(line)).at(-1)).toMatch(/^✗ Run the tests .*cancelled/);
});

test('a prompt sent during a turn is queued, shown, and can be withdrawn', async () => {
  const run = await begin();
  run.type(`hang${keys.enter}`);
  await run.until('working');
  run.type(`say second${keys.enter}`);
  await run.until('queued: say second');
  run.type(`say third${keys.enter}`);
  expect((await run.until('queued: say third')).slice(-7)).toEqual([
    '',
    'queued: say second',
    'queued: say third',
    'Up returns the last one to the editor; Enter sends the first one now',
    '─'.repeat(79),
    '› a prompt you send now runs after this turn',
    expect.stringMatching(/working/),
  ]);
  run.type(keys.up);
  await run.until('› say third');
  run.type(keys.escape);
  await run.until('(the turn was cancelled)');
  expect(await run.until('› say second')).toEqual(expect.arrayContaining(['› say second', '', '  say third']));
});

test('Esc stops the turn, and the chat continues', async () => {
  const run = await begin();
  run.type(`hang${keys.enter}`);
  await run.until('at work');
  run.type(keys.escape);
  await run.until('(the turn was cancelled)');
  run.type(`say still here${keys.enter}`);
  expect((await run.until('\nstill here')).join('\n')).toContain('\nstill here');
});

test('Ctrl-C stops the turn; at an empty prompt the second press leaves', async () => {
  const run = await begin();
  run.type(`hang${keys.enter}`);
  await run.until('at work');
  run.type(keys.ctrl('c'));
  await run.until('(the turn was cancelled)');
  await run.until('/help for help');
  run.type(keys.ctrl('c'));
  await run.until('Ctrl-C again leaves');
  run.type(keys.ctrl('c'));
  expect(await run.exitCode).toBe(130);
});

test('Ctrl-C clears the typed text, and the arrow key restores it', async () => {
  const run = await begin();
  run.type('half a thought');
  await run.until('› half a thought');
  run.type(keys.ctrl('c'));
  await run.until('› type a prompt;');
  run.type(keys.up);
  expect((await run.until('› half a thought')).join('\n')).toContain('› half a thought');
});

test('an unknown command is sent only after a second Enter', async () => {
  const run = await begin();
  run.type(`/nope${keys.enter}`);
  const asked = await run.until('there is no command /nope; Enter again sends it to the agent');
  run.type(` at all${keys.enter}`);
  await run.until((lines) => lines.join('\n').includes('there is no command /nope'));
  run.type(keys.enter);
  await run.until('› /nope at all');
  run.type(`/usr/bin is a folder${keys.enter}`);
  await run.until('› /usr/bin is a folder');
  expect(asked.join('\n')).toContain('› /nope');
});

test('Ctrl-D leaves, but asks once during a turn', async () => {
  const run = await begin();
  run.type(`hang${keys.enter}`);
  await run.until('at work');
  run.type(keys.ctrl('d'));
  await run.until('Ctrl-D again');
  run.type(keys.ctrl('d'));
  expect(await run.exitCode).toBe(0);
});

test('an agent that does not stop is restarted with its session at the request of the user', async () => {
  const run = await begin();
  run.type(`deaf${keys.enter}`);
  await run.until('at work');
  run.type(keys.escape);
  await run.until('stopping');
  run.type(keys.escape);
  await run.until('Restart it');
  run.type('y');
  await run.until(
    (lines) => lines.some((line) => /^── .*──$/.test(line)) && lines.some((line) => line.includes('/help for help')),
  );
  run.type(`say back${keys.enter}`);
  expect((await run.until('\nback')).join('\n')).toContain('\nback');
});

test('an agent that dies is reported with its last output, and /restart restarts it', async () => {
  const run = await begin();
  run.type(`die${keys.enter}`);
  await run.until('the agent ended');
  expect(run.everything.join(' ')).toContain('fatal: out of memory');
  run.type(`/restart${keys.enter}`);
  await run.until('/help for help');
  run.type(`say alive${keys.enter}`);
  await run.until('\nalive');
});

test('an agent that cannot start is reported, and the chat stays open', async () => {
  const run = inEmulator(['--agent', 'no-such-agent-anywhere', '--cwd', folder]);
  await run.until('the agent ended');
  expect(run.screen.join(' ')).toContain('no-such-agent-anywhere');
  run.type(keys.ctrl('d'));
  expect(await run.exitCode).toBe(0);
});

test('an agent that ends while it starts is started again, and the user is informed', async () => {
  const run = inEmulator(['--agent', showyAgent('unsteady', join(folder, 'tried')), '--cwd', folder]);
  await run.until('Ask first');
  expect(run.everything).toEqual(
    expect.arrayContaining([expect.stringMatching(/^! The agent did not start; trying again in 1 s/)]),
  );
});

test('the start of a slow agent is shown, and the user can type a prompt during it', async () => {
  const run = inEmulator(['--agent', showyAgent('slow'), '--cwd', folder]);
  await run.until(/starting/.source);
  run.type(`say early${keys.enter}`);
  await run.until('queued: say early');
  expect((await run.until('\nearly')).join('\n')).toContain('\nearly');
});

test('commands that need the session wait until a slow agent is ready', async () => {
  const run = inEmulator(['--agent', showyAgent('slow'), '--cwd', folder]);
  await run.until(/starting/.source);
  run.type(`/mode code${keys.enter}`);
  await run.until('/mode waits until the agent is ready');
  expect((await run.until('Just code')).at(-1)).toContain('Just code');
});

test('the status line shows the folder, its branch and the agent, as far as they fit', async () => {
  const project = join(folder, 'my-project');
  await mkdir(join(project, '.git'), { recursive: true });
  await writeFile(join(project, '.git', 'HEAD'), 'ref: refs/heads/topic/one\n');
  const run = await beginChat(project, { columns: 100 });
  const wide = run.screen.at(-1);
  await writeFile(join(project, '.git', 'HEAD'), `${'0123456789'.repeat(4)}\n`);
  await expect.poll(() => (run.type('x'), run.screen.at(-1)), { interval: 200 }).toContain('(0123456)');
  run.resize(60, 24);
  const narrow = await run.until((lines) => lines.includes('─'.repeat(59)) && !lines.at(-1)?.includes('my-project'));
  expect([wide?.trim(), narrow.at(-1)?.trim()]).toEqual([
    expect.stringMatching(/^\/help for help +my-project \(topic\/one\) · interactive · Small one · Ask first$/),
    expect.stringMatching(/^\/help for help +interactive · Small one · Ask first$/),
  ]);
});

test('--timeout stops a turn, and the chat continues', async () => {
  // The time of a turn includes the record of the folder before it.
  const seconds = String(Math.ceil(within(1_000) / 1_000));
  const run = inEmulator(['--agent', showyAgent(), '--cwd', folder, '--timeout', seconds]);
  await run.until('Ask first');
  run.type(`hang${keys.enter}`);
  await run.until(`(stopped: it took longer than ${seconds} s)`);
  run.type(`say on${keys.enter}`);
  expect((await run.until('\non')).join('\n')).toContain('\non');
});

test('thoughts are one line until the user expands them', async () => {
  const run = await begin();
  const thought = 'First I look at the tests.\nThen at the code.';
  run.type(keys.paste(`think ${thought}`) + keys.enter);
  await run.until('thought so\n\n');
  expect(run.screen).toContain('∴ First I look at the tests. Then at the code.');
  run.type(keys.ctrl('t'));
  await run.until('thoughts are now shown');
  run.type(keys.up + keys.enter);
  expect(await run.until((lines) => lines.filter((line) => line === 'thought so').length === 2)).toEqual(
    expect.arrayContaining(['  First I look at the tests.', '  Then at the code.']),
  );
});

test('the chat shows plan, context and cost', async () => {
  const run = await begin();
  const entry = (content: string, status: string): object => ({ content, status, priority: 'medium' });
  const updates = [
    {
      sessionUpdate: 'plan',
      entries: [entry('Read', 'completed'), entry('Write', 'in_progress'), entry('Test', 'pending')],
    },
    { sessionUpdate: 'usage_update', used: 50_000, size: 200_000, cost: { amount: 0.25, currency: 'USD' } },
  ];
  run.type(keys.paste(`thenHang ${JSON.stringify(updates)}`) + keys.enter);
  const screen = await run.until('Plan 1/3');
  expect(screen.slice(-9, -4)).toEqual(['', 'Plan 1/3', '[x] Read', '[>] Write', '[ ] Test']);
  expect(await run.until('$0.25')).toContainEqual(
    expect.stringMatching(/Small one · Ask first · 25% of 200k · \$0\.25$/),
  );
});
