import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginChat, type Emulator, keys } from './emulator.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-prompts-')));
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

/** A question is there, and takes keys. */
const takesKeys = (lines: readonly string[]): boolean =>
  lines.some((line) => line.startsWith('? ')) &&
  !lines.some((line) => line.startsWith('a question: ')) &&
  // The last line of a screen is drawn last.
  lines.at(-1)?.startsWith('waiting for you') === true;
const send = (run: Emulator, text: string): void => run.type(keys.paste(text) + keys.enter);
const edit = (newText: string): string =>
  JSON.stringify({
    toolCallId: 'a',
    title: 'Edit notes.txt',
    kind: 'edit',
    content: [{ type: 'diff', path: join(folder, 'notes.txt'), oldText: 'alpha\nbeta\n', newText }],
  });
const command = JSON.stringify({
  toolCallId: 'b',
  title: 'List',
  kind: 'execute',
  rawInput: { command: 'ls -l /tmp' },
});

describe('permission questions in a chat', () => {
  test('a permission question shows the diff with line numbers, its reason, and the meaning of each answer', async () => {
    const run = await beginChat(folder, { columns: 120 });
    send(run, `ask ${edit('alpha\ngamma\n')}`);
    const screen = await run.until(takesKeys);
    expect(
      screen.slice(
        screen.findIndex((line) => line === '? Change a file'),
        -1,
      ),
    ).toEqual([
      '? Change a file',
      '  notes.txt (+1 −1)',
      '  1   alpha',
      '  2 - beta',
      '  2 + gamma',
      '  the agent says: Edit notes.txt',
      '  asked: no rule applies, and approval is default',
      '  Allow once (y)',
      '  Allow always in this session  Edit(./notes.txt)',
      '  Allow always in this project  Edit(./notes.txt)',
      '  Allow always                  the agent remembers it',
      '  Reject once (n)',
      '  Reject once and say why… (r)',
      '  y, n, r, or ↑↓ Enter · Esc stops the turn',
    ]);
    run.type('y');
    await run.until('selected yes');
  });

  test('a permission question shows the exact command', async () => {
    const run = await beginChat(folder);
    send(run, `ask ${command}`);
    expect(await run.until(takesKeys)).toContain('  $ ls -l /tmp');
    run.type('n');
    await run.until('selected no');
  });

  test('a permission question can be answered with the arrow keys', async () => {
    const run = await beginChat(folder);
    send(run, `ask ${command}`);
    await run.until(takesKeys);
    run.type(keys.up + keys.up + keys.enter);
    expect((await run.until('selected no')).join('\n')).toContain('selected no');
  });

  test('an answer for the project becomes a rule that answers the next question', async () => {
    const run = await beginChat(folder);
    send(run, `ask ${command}`);
    await run.until(takesKeys);
    run.type(keys.down.repeat(3) + keys.enter);
    await run.until('selected yes');
    send(run, `ask ${command}`);
    await run.until((lines) => lines.filter((line) => line.startsWith('selected yes')).length === 2);
    expect(await readFile(join(folder, '.turnwire', 'permissions.json'), 'utf8')).toContain('Bash(ls -l /tmp)');
  });

  test('r rejects with a reason, which an agent that does not read it in the answer gets as a prompt', async () => {
    const run = await beginChat(folder);
    send(run, `ask ${command}`);
    await run.until(takesKeys);
    run.type('r');
    await run.until('Why you reject it, for the agent (Enter rejects');
    run.type(`use the tool instead${keys.enter}`);
    await run.until('was rejected: use the tool instead');
    expect(run.everything.join('\n')).toContain('selected no');
  });

  test('a prompt typed while a question is open does not answer it', async () => {
    const run = await beginChat(folder);
    send(run, `ask ${command}`);
    await run.until(takesKeys);
    run.type(`try a visit${keys.enter}`);
    await run.until('nothing is chosen: press a key shown in brackets, or choose with ↑↓');
    expect(run.screen.at(-1)).toContain('waiting for you');
    expect(run.everything.join('\n')).not.toContain('selected');
    run.type(keys.enter);
    run.type('n');
    await run.until('selected no');
  });

  test('the transcript opens while a question is open, and its keys do not answer the question', async () => {
    const run = await beginChat(folder);
    send(run, `say ${'before\n\n'.repeat(40)}`);
    await run.until((lines) => lines.at(-1)?.startsWith('/help') === true);
    send(run, `ask ${command}`);
    await run.until(takesKeys);
    run.type(keys.ctrl('o'));
    await run.until('a question waits · the end');
    run.type('g');
    await run.until('a question waits · the beginning');
    run.type('qy');
    await run.until('$ ls -l /tmp');
    expect(run.everything.join('\n')).not.toContain('selected');
    await run.until(takesKeys);
    run.type('n');
    await run.until('selected no');
  });

  test('a question ignores keys that were typed before it appeared', async () => {
    const run = await beginChat(folder);
    send(run, `askLater ${command}`);
    await run.until('at work');
    run.type('y\r1');
    await run.until('$ ls -l /tmp');
    run.type('y');
    await run.until(takesKeys);
    run.type('n');
    expect((await run.until('selected no')).join('\n')).toContain('selected no');
  });

  test('a question that is longer than the screen scrolls', async () => {
    const run = await beginChat(folder);
    send(run, `ask ${edit(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n'))}`);
    await run.until(takesKeys);
    expect(run.screen).toContainEqual(expect.stringMatching(/… \d+ more lines: PgDn/));
    run.type(keys.pageDown.repeat(30));
    expect(await run.until('the end; PgUp')).toContainEqual(expect.stringContaining('+ line 99'));
    run.type('y');
    await run.until('selected yes');
  });

  test('a command can be allowed only after all of it was on the screen', async () => {
    const run = await beginChat(folder, { columns: 40, rows: 14 });
    const long = Array.from({ length: 12 }, (_, index) => `echo ${index}`).join('\n');
    send(run, `ask ${JSON.stringify({ toolCallId: 'b', kind: 'execute', rawInput: { command: long } })}`);
    await run.until(takesKeys);
    run.type('y');
    await run.until('first scroll: PgDn shows the rest');
    for (const line of ['> echo 3', '> echo 5', '> echo 7', '> echo 9', '> echo 11']) {
      run.type(keys.pageDown);
      await run.until(line);
    }
    const unseen = run.everything.filter((line) => line.startsWith('selected'));
    run.type('y');
    await run.until('selected yes');
    expect(unseen).toEqual([]);
    send(run, `ask ${JSON.stringify({ toolCallId: 'c', kind: 'execute', rawInput: { command: long } })}`);
    await run.until(takesKeys);
    run.type('n');
    await run.until('selected no');
  });

  test('a long rule is shown completely, and a repeated command only once', async () => {
    const run = await beginChat(folder, { columns: 60, rows: 30 });
    const line = 'npm run some-script-with-a-long-name -- --and-an-option=value';
    send(run, `ask ${JSON.stringify({ toolCallId: 'b', title: line, kind: 'execute', rawInput: { command: line } })}`);
    const screen = await run.until(takesKeys);
    expect(screen.slice(screen.indexOf('? Run a command'), -1)).toEqual([
      '? Run a command',
      '  $ npm run some-script-with-a-long-name -- --and-an-opti',
      '    on=value',
      '  asked: no rule covers this command, and approval is',
      '  default',
      '  Allow once (y)',
      '  Allow always in this session  Bash(npm run some-script-wi',
      '                                th-a-long-name --',
      '                                --and-an-option=value)',
      '  Allow always in this project  Bash(npm run some-script-wi',
      '                                th-a-long-name --',
      '                                --and-an-option=value)',
      '  Allow always                  the agent remembers it',
      '  Reject once (n)',
      '  Reject once and say why… (r)',
      '  y, n, r, or ↑↓ Enter · Esc stops the turn',
    ]);
    run.type('y');
    await run.until('selected yes');
  });

  test('Esc at a question stops the turn', async () => {
    const run = await beginChat(folder);
    send(run, `ask ${command}`);
    await run.until(takesKeys);
    run.type(keys.escape);
    await run.until('(the turn was cancelled)');
    expect(run.everything).toContain('cancelled');
  });

  test('a question fits on a small screen', async () => {
    const run = await beginChat(folder, { columns: 40, rows: 12 });
    send(run, `ask ${edit('alpha\ngamma\n')}`);
    const screen = await run.until(takesKeys);
    expect(screen.filter((line) => line.length > 40)).toEqual([]);
    expect(screen).toContainEqual(expect.stringMatching(/ Allow once/));
    expect(screen).toContainEqual(expect.stringMatching(/PgDn/));
  });
});

describe('permission options of a chat', () => {
  test.each([
    [['--deny-all'], 'selected no'],
    [['--approve-all'], 'selected yes'],
    [['--allowed-tools', 'Read'], 'selected no'],
    [['--policy', '{"autoDeny":["execute"]}'], 'selected no'],
  ])('%j answer instead of the user', async (words, outcome) => {
    const run = await beginChat(folder, { words });
    send(run, `ask ${command}`);
    expect((await run.until(outcome)).filter((line) => line.startsWith('? '))).toEqual([]);
  });
});

describe('forms in a chat', () => {
  test('a form asks field by field, reports mistakes, and sends the reviewed values', async () => {
    const run = await beginChat(folder);
    send(run, 'form');
    await run.until(takesKeys);
    run.type(`x${keys.enter}`);
    await run.until(/at least 2/.source);
    run.type(`y${keys.enter}`);
    await run.until('Age (2 of 6');
    run.type(`7${keys.enter}`);
    await run.until('18');
    run.type(`${keys.ctrl('u')}${keys.enter}`);
    await run.until('Ratio (3 of 6');
    run.type(keys.enter);
    await run.until('Colour (4 of 6)');
    run.type(keys.down + keys.enter);
    await run.until('With tests (5 of 6');
    run.type(keys.down + keys.enter);
    await run.until('Parts (6 of 6)');
    run.type(keys.enter);
    await run.until('Parts');
    run.type(` ${keys.down} ${keys.enter}`);
    const review = await run.until('Nothing is sent yet');
    expect(review.slice(review.indexOf('Nothing is sent yet.'), -1)).toEqual([
      'Nothing is sent yet.',
      '❯ Send',
      '  Your name   xy',
      '  Age         (left out)',
      '  Ratio       0.5',
      '  Colour      Green',
      '  With tests  no',
      '  Parts       api, web',
      '  Decline     reports to the agent that you refuse',
      '  Cancel      no answer',
      '↑↓ Enter · Esc cancels',
    ]);
    run.type(keys.enter);
    await run.until('"action":"accept"');
    expect(run.screen.join('').replaceAll(/\s/g, '')).toContain(
      '{"action":"accept","content":{"ratio":0.5,"tests":false,"name":"xy","colour":"g","parts":["api","web"]}}',
    );
  });

  test('a form with one question is answered in one step, by number or with other words', async () => {
    const run = await beginChat(folder);
    const properties = {
      answer: { type: 'string', title: 'Which one?', enum: ['red', 'green'] },
      words: { type: 'string', title: 'Or in your own words' },
    };
    send(run, `form ${JSON.stringify({ type: 'object', properties })}`);
    const screen = await run.until(takesKeys);
    expect(screen.slice(screen.indexOf('? Who are you?'), -1)).toEqual([
      '? Who are you?',
      'Which one?',
      '❯ 1 red',
      '  2 green',
      '  3 Or in your own words …',
      '↑↓ · Enter sends · Esc declines or cancels',
    ]);
    run.type('2');
    await run.until('{"action":"accept","content":{"answer":"green"}}');
    send(run, `form ${JSON.stringify({ type: 'object', properties })}`);
    await run.until(takesKeys);
    run.type('3');
    await run.until('text · Enter sends · Shift-Tab goes back');
    run.type(`blue${keys.enter}`);
    await run.until('{"action":"accept","content":{"words":"blue"}}');
  });

  test('a form can be declined', async () => {
    const run = await beginChat(folder);
    send(run, 'form');
    await run.until(takesKeys);
    run.type(keys.escape);
    await run.until('Nothing is sent yet');
    run.type(keys.up + keys.up + keys.enter);
    expect((await run.until('{"action":"decline"}')).join('\n')).toContain('{"action":"decline"}');
  });
});

describe('pages to visit in a chat', () => {
  test('a page to visit is shown with its host and full address, and is not opened', async () => {
    const run = await beginChat(folder);
    send(run, 'visit https://example.com/login?next=%2Fhome');
    const screen = await run.until(takesKeys);
    expect(screen).toEqual(
      expect.arrayContaining([
        '? Please log in.',
        '  It leads to example.com:',
        '    https://example.com/login?next=%2Fhome',
      ]),
    );
    run.type('2');
    await run.until('{"action":"accept"}');
  });

  test('an address that is not a web page cannot be opened', async () => {
    const run = await beginChat(folder);
    send(run, 'visit file:///etc/passwd');
    const screen = await run.until(takesKeys);
    expect(screen.filter((line) => line.includes('open'))).toEqual([]);
    run.type('n');
    await run.until('{"action":"decline"}');
  });
});
