import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameTap } from '@turnwire/client';
import { localFiles } from '@turnwire/client/node';
import { scriptedElicitation } from '@turnwire/client/elicitation';
import { describe, expect, test } from 'vitest';
import { launchFaulty, lines, project, type Fixture, fixture } from './faulty.ts';

type Request = readonly [method: string, params: Readonly<Record<string, unknown>>];

/** Has the agent send requests, one after the other, and returns what it was answered: a result, or the code of an error. */
async function answers({ conversation }: Fixture, requests: readonly Request[]): Promise<unknown> {
  await conversation.prompt(`ask ${JSON.stringify(requests)}`);
  const said = lines(conversation.transcript).find((each) => each.startsWith('agent: ')) ?? '';
  return JSON.parse(said.slice('agent: '.length));
}

const notThere = -32601;
const badParams = -32602;
const noResource = -32002;

describe('an agent that requests access beyond its session', () => {
  test('an agent can read and write only regular files inside its folders', async () => {
    const outside = await project();
    const cwd = await project();
    await mkdir(join(cwd, 'sub'));
    await symlink(join(outside, 'notes.txt'), join(cwd, 'link.txt'));
    await symlink(outside, join(cwd, 'folder'));
    await symlink('loop', join(cwd, 'loop'));
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const paths = [
      '/etc/passwd',
      join(outside, 'notes.txt'),
      `${cwd}/../${outside.split('/').at(-1)}/notes.txt`,
      `${cwd}/sub/../../x`,
      join(cwd, 'link.txt'),
      join(cwd, 'folder', 'notes.txt'),
      join(cwd, 'loop'),
      'notes.txt',
      './notes.txt',
      '~/notes.txt',
      `file://${cwd}/notes.txt`,
      `${cwd}/a\0b`,
      join(cwd, 'pipe'),
      '/dev/zero',
      '/dev/stdin',
      `/proc/self/cwd/notes.txt`,
      `/proc/self/environ`,
      '',
      cwd,
      `${cwd}/${'x'.repeat(300)}`,
      `/${'x/'.repeat(5000)}`,
    ];
    const own = fixture({ cwd });
    const seen = (await answers(
      own,
      paths.flatMap((path): Request[] => [
        ['fs/read_text_file', { path }],
        ['fs/write_text_file', { path, content: 'owned' }],
      ]),
    )) as unknown[];
    const got = paths.map((path, index) => [path.slice(0, 60), seen[2 * index], seen[2 * index + 1]]);
    expect(got.filter(([, read, written]) => typeof read !== 'number' || typeof written !== 'number')).toEqual([]);
    expect(await readFile(join(outside, 'notes.txt'), 'utf8')).toBe('alpha\n');
  });

  test('an agent can start terminals only inside its folders, and use only those of its session', async () => {
    const outside = await project();
    const cwd = await project();
    await symlink(outside, join(cwd, 'folder'));
    await writeFile(join(cwd, 'file'), '');
    const places = [
      '/',
      outside,
      `${cwd}/..`,
      join(cwd, 'folder'),
      join(cwd, 'file'),
      join(cwd, 'none'),
      'sub',
      `${cwd}\0`,
      '',
    ];
    const own = fixture({ cwd });
    const seen = await answers(own, [
      ...places.map((place): Request => ['terminal/create', { command: 'pwd', cwd: place }]),
      ...['output', 'wait_for_exit', 'kill', 'release'].map((each): Request => [
        `terminal/${each}`,
        { terminalId: 'term-1' },
      ]),
      ['terminal/create', { command: '' }],
      ['terminal/create', { command: 'no-such-program-anywhere' }],
      ['terminal/create', { command: 'a\0b' }],
    ]);
    expect(seen).toEqual([...places.map(() => badParams), ...Array(4).fill(noResource), ...Array(3).fill(badParams)]);
  });

  test('every request for an unknown session gets the error of a missing session', async () => {
    const cwd = await project();
    const own = fixture({ cwd });
    const sessionId = 'nobody';
    const toolCall = { toolCallId: 'x', title: 'X' };
    const seen = await answers(own, [
      ['fs/read_text_file', { sessionId, path: join(cwd, 'notes.txt') }],
      ['fs/write_text_file', { sessionId, path: join(cwd, 'notes.txt'), content: '' }],
      ['terminal/create', { sessionId, command: 'ls' }],
      ['terminal/output', { sessionId, terminalId: 'x' }],
      ['session/request_permission', { sessionId, toolCall, options: [] }],
    ]);
    expect(seen).toEqual(Array(5).fill(noResource));
  });

  test('a request with an unknown method gets the error of a missing method', async () => {
    const own = fixture({ cwd: await project(), launch: { host: {} } });
    const seen = await answers(own, [
      ['no/such_method', {}],
      ['_vendor/extension', {}],
      ['constructor', {}],
      ['__proto__', {}],
      ['', {}],
      ['session/prompt', {}],
      ['fs/read_text_file', { path: '/etc/passwd' }],
      ['terminal/create', { command: 'ls' }],
      ['elicitation/create', { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } }],
    ]);
    expect(seen).toEqual(Array(9).fill(notThere));
  });
});

describe('an agent with invalid permission requests', () => {
  const allow = { optionId: 'same', name: 'Allow', kind: 'allow_once' };
  const reject = { optionId: 'same', name: 'Reject', kind: 'reject_once' };
  const toolCall = { toolCallId: 'x', title: 'X', kind: 'edit' };

  test('an invalid permission request is cancelled, and never grants more than the user chose', async () => {
    const cwd = await project();
    const ask = (options: unknown, call: unknown): Request => [
      'session/request_permission',
      { toolCall: call, options },
    ];
    const asked = [
      ask([], toolCall),
      ask([allow], toolCall),
      ask([allow, reject], toolCall),
      ask([reject, allow], toolCall),
      ask([reject, reject], toolCall),
      ask([{ ...reject, optionId: '' }], toolCall),
      ask([{ ...allow, kind: 'allow_for_ever' }], toolCall),
      ask('none', toolCall),
      ask([allow], undefined),
      ask([allow], { toolCallId: 7 }),
    ];
    const denying = fixture({ cwd, permissions: { mode: 'plan' } });
    const seen = (await answers(denying, asked)) as unknown[];
    const cancelled = { outcome: { outcome: 'cancelled' } };
    const selected = (optionId: string): unknown => ({ outcome: { outcome: 'selected', optionId } });
    const refused = (count: number): unknown[] => Array<unknown>(count).fill(badParams);
    expect(seen).toEqual([cancelled, cancelled, ...refused(3), selected(''), ...refused(4)]);
  });

  test('a thousand permission requests at once are all answered, and those above the limit are refused', async () => {
    const cwd = await project();
    const asking = fixture({ cwd, permissions: { mode: 'acceptEdits' } });
    await asking.conversation.prompt('permissions 1000');
    let refused = 0;
    let tap: FrameTap = () => undefined;
    const allRefused = new Promise<void>((resolve) => {
      tap = (direction, frame) => {
        if (direction === 'out' && frame.includes('"error"') && ++refused === 100) resolve();
      };
    });
    const nobody = fixture({
      cwd,
      permissions: { mode: 'default', ask: () => new Promise(() => {}) },
      launch: {
        peer: { limits: { incomingRequests: 1000 } },
        timeouts: { cancel: 20_000 },
        tap: (direction, frame) => tap(direction, frame),
      },
    });
    const turn = nobody.conversation.prompt('permissions 1100');
    await allRefused;
    void turn.cancel();
    await turn;
    expect({
      allowed: lines(asking.conversation.transcript).find((each) => each.startsWith('agent')),
      cancelled: lines(nobody.conversation.transcript).find((each) => each.startsWith('agent')),
      waiting: nobody.permissions.pending,
    }).toEqual({
      allowed: 'agent: {"yes":1000}',
      cancelled: 'agent: {"cancelled":1000,"error -32603":100}',
      waiting: [],
    });
  });
});

test('a form with a catastrophic pattern is answered at once', async () => {
  const patterns = [
    '^(a+)+$',
    '(a|a)*b',
    '(.*)*\\1',
    '('.repeat(500),
    '[',
    `${'a?'.repeat(30)}${'a'.repeat(30)}`,
    `(${'a'.repeat(50)}){1000}`,
  ];
  const fields = patterns.map((pattern, index) => [`field${index}`, { type: 'string', pattern }] as const);
  const properties = {
    ...Object.fromEntries(fields),
    ['__proto__']: { type: 'string' },
    constructor: { type: 'string' },
  };
  const content = Object.fromEntries(patterns.map((_, index) => [`field${index}`, 'a'.repeat(40)]));
  const own = fixture({
    cwd: await project(),
    launch: { host: { elicitation: scriptedElicitation(content) } },
  });
  const form = (requestedSchema: unknown): Request => [
    'elicitation/create',
    { mode: 'form', message: 'Who?', requestedSchema },
  ];
  const seen = (await answers(own, [
    form({ type: 'object', properties, required: ['constructor'] }),
    form({
      type: 'object',
      properties: {
        a: { type: 'string', enum: [] },
        b: { type: 'array', items: { type: 'string' } },
        c: { type: 'object' },
      },
    }),
    form({ type: 'object', properties: null }),
    form('none'),
    ['elicitation/create', { mode: 'url', message: 'Go', url: 'javascript:alert(1)', elicitationId: 'x' }],
    ['elicitation/create', { mode: 'telepathy', message: 'Go' }],
  ])) as { action?: string }[];
  expect(seen.map((each) => each?.action ?? each)).toEqual([
    'cancel',
    expect.anything(),
    expect.anything(),
    badParams,
    expect.anything(),
    badParams,
  ]);
});

test('an agent can still read its files after all refused requests', async () => {
  const cwd = await project();
  const agent = await launchFaulty([], { host: { files: localFiles() } });
  const session = await agent.newSession({ cwd });
  const texts: unknown[] = [];
  const turn = session.prompt(`ask ${JSON.stringify([['fs/read_text_file', { path: join(cwd, 'notes.txt') }]])}`);
  for await (const update of turn) if ('content' in update) texts.push(update.content);
  expect(texts).toEqual([{ type: 'text', text: '[{"content":"alpha\\n"}]' }]);
});
