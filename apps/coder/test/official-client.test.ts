import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveCoder } from '../src/index.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';

let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'driven-coder-')));
  await mkdir(join(folder, 'work'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

interface Driven {
  readonly call: (method: string, params: object) => Promise<unknown>;
  /** The questions to the user: title and options. */
  readonly asked: (readonly string[])[];
  readonly updates: Record<string, unknown>[];
}

type Answers = readonly (string | { readonly tool: string; readonly input: object })[];

/** An instance of the coder with this model, driven by the client of the official SDK; the user gives these answers. */
async function drive<Value>(
  answers: Answers,
  user: readonly string[],
  work: (agent: Driven) => Promise<Value>,
): Promise<Value> {
  const script = answers.map((answer, place) =>
    typeof answer === 'string'
      ? [...says(answer), finishes()]
      : [calls(answer.tool, answer.input, `call-${place}`), finishes('tool-calls')],
  );
  const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const { closed } = serveCoder({
    model: new ScriptedModel(...script),
    sessions: join(folder, 'sessions'),
    env: { ...process.env, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') },
    transport: webStreamTransport({ readable: toAgent.readable, writable: toClient.writable }),
  });
  const updates: Record<string, unknown>[] = [];
  const asked: (readonly string[])[] = [];
  const app = client({ name: 'driver' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', ({ params: { toolCall, options } }) => {
      asked.push([toolCall.title ?? '', ...options.map(({ name }) => name)]);
      return { outcome: { outcome: 'selected', optionId: user[asked.length - 1] ?? 'reject_once' } };
    });
  const outcome = await app.connectWith(ndJsonStream(toAgent.writable, toClient.readable), async (agent) => {
    const call = (method: string, params: object): Promise<unknown> => agent.request(method as never, params as never);
    await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
    return work({ call, asked, updates });
  });
  await closed;
  return outcome;
}

const ask = (sessionId: string, text: string): object => ({ sessionId, prompt: [{ type: 'text', text }] });
const begin = (): object => ({ cwd: join(folder, 'work'), mcpServers: [] });
const runs = (command: string): Answers[number] => ({ tool: 'execute', input: { command } });
const failures = (updates: readonly Record<string, unknown>[]): readonly unknown[] =>
  updates.flatMap(({ status, content }) =>
    status === 'failed' ? [(content as readonly { content: { text: string } }[])[0]?.content.text] : [],
  );

const refused =
  'Refused: in mode architect nothing is changed and no command runs; nothing was done. Go on looking, or call switch-mode with your plan: the user decides.';

test('an approved plan is carried out, and the mode survives a restart', async () => {
  const answers = [
    runs('echo early > early.txt'),
    { tool: 'switch-mode', input: { mode: 'code', plan: '1. Make done.txt' } },
    runs('echo done > done.txt'),
    'Done.',
  ];
  const sessionId = await drive(answers, ['code'], async ({ call, asked, updates }) => {
    const { sessionId: id } = (await call('session/new', begin())) as { sessionId: string };
    await call('session/prompt', ask(id, '/mode architect'));
    expect(await call('session/prompt', ask(id, '/plan make done.txt'))).toMatchObject({ stopReason: 'end_turn' });
    expect([asked, failures(updates), await readdir(join(folder, 'work'))]).toEqual([
      [
        [
          'Carry out this plan?',
          'Yes, and do not ask about each step (mode Code)',
          'Yes, and ask before each change (mode Ask)',
          'No, stay in mode Architect',
        ],
      ],
      [refused],
      ['done.txt'],
    ]);
    return id;
  });
  await drive([], [], async ({ call }) => {
    expect(await call('session/load', { sessionId, ...begin() })).toMatchObject({ modes: { currentModeId: 'code' } });
  });
});

test('an "always allow" answer for a project applies to every session and process', async () => {
  const turn = async ({ call, asked }: Driven): Promise<readonly (readonly string[])[]> => {
    const { sessionId } = (await call('session/new', begin())) as { sessionId: string };
    await call('session/prompt', ask(sessionId, 'go'));
    await call('session/prompt', ask(sessionId, '/permissions allow Bash(sort --version) in project'));
    return asked;
  };
  const first = await drive([runs('sort --version'), 'Done.'], ['allow_once'], turn);
  const second = await drive([runs('sort --version'), runs('sort --help'), 'Done.'], ['allow_once'], turn);
  expect([first, second]).toEqual([
    [
      [
        'sort --version',
        'Allow once',
        'Always allow Bash(sort --version) in this session',
        'Reject',
        'Always reject Bash(sort --version) in this session',
      ],
    ],
    [
      [
        'sort --help',
        'Allow once',
        'Always allow Bash(sort --help) in this session',
        'Reject',
        'Always reject Bash(sort --help) in this session',
      ],
    ],
  ]);
});
