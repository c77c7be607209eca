import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { until } from './coder-process.ts';
import { drive, type Driven, type DrivenCommand, output } from './official-v2-driver.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let folder = '';
let cwd = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'coder-v2-')));
  cwd = join(folder, 'work');
  await mkdir(cwd);
  await writeFile(join(cwd, 'notes.txt'), 'alpha\n');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The coder, driven by the official client of version 2. */
const driveCoder = <Value>(work: (agent: Driven) => Promise<Value>, elicit?: DrivenCommand['elicit']): Promise<Value> =>
  drive(
    {
      ...(elicit && { elicit }),
      words: [process.execPath, bundleProgram(main)],
      env: {
        ...process.env,
        TURNWIRE_CODER_SESSIONS: join(folder, 'sessions'),
        TURNWIRE_CODER_MODEL: 'offline',
        XDG_STATE_HOME: join(folder, 'state'),
        XDG_CONFIG_HOME: join(folder, 'config'),
        XDG_DATA_HOME: join(folder, 'data'),
      },
    },
    async (agent) => {
      expect(agent.introduction).toMatchObject({ protocolVersion: 2, info: { name: expect.any(String) as string } });
      return work(agent);
    },
  );

test('the official client of version 2 drives a whole conversation, which it resumes in a new process', async () => {
  const { sessionId, messages } = await driveCoder(async ({ call, notify, updates, asked, turn }) => {
    const created = (await call('session/new', { cwd })) as {
      readonly sessionId: string;
      readonly configOptions: readonly { readonly configId: string }[];
      readonly availableCommands: readonly { readonly type: string }[];
    };
    const { sessionId: id } = created;
    expect([
      created.configOptions.some(({ configId }) => configId === 'mode'),
      created.availableCommands.every(({ type }) => type === 'command'),
    ]).toEqual([true, true]);
    const listed = await turn(id, 'list files');
    const edited = await turn(id, 'replace "alpha" with "beta" in notes.txt');
    const ran = await turn(id, 'run echo from-the-command');
    const running = call('session/prompt', { sessionId: id, prompt: [{ type: 'text', text: 'run sleep 600' }] });
    await running;
    await until(
      () => updates.filter(({ sessionUpdate, cwd: at }) => sessionUpdate === 'terminal_update' && at).length === 2,
    );
    await notify('session/cancel', { sessionId: id });
    await until(() => updates.at(-1)?.['stopReason'] === 'cancelled');
    const diff = updates
      .flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string; changes?: unknown }[]) : []))
      .find(({ type }) => type === 'diff');
    expect([
      [listed, edited, ran],
      await readFile(join(cwd, 'notes.txt'), 'utf8'),
      diff?.changes,
      output(updates),
      asked.length,
      updates.filter(({ state }) => state).map(({ state }) => state),
      updates.findLast(({ status }) => status)?.['status'],
    ]).toEqual([
      ['end_turn', 'end_turn', 'end_turn'],
      'beta\n',
      [{ operation: 'modify', path: join(cwd, 'notes.txt'), fileType: 'text' }],
      'from-the-command\n',
      3,
      [
        ...['running', 'idle'],
        ...['running', 'requires_action', 'running', 'idle'],
        ...['running', 'requires_action', 'running', 'idle'],
        ...['running', 'requires_action', 'running', 'idle'],
      ],
      'cancelled',
    ]);
    return { sessionId: id, messages: updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message') };
  });
  await driveCoder(async ({ call, updates, turn }) => {
    await call('session/resume', { sessionId, cwd, replayFrom: { type: 'start' } });
    // The official client handles an answer before the updates that came just before it.
    await until(() => updates.at(-1)?.['state'] === 'idle');
    expect([
      updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message'),
      updates.slice(-2),
      await turn(sessionId, 'read notes.txt'),
    ]).toEqual([
      messages,
      [{ sessionUpdate: 'replay_complete' }, { sessionUpdate: 'state_update', state: 'idle' }],
      'end_turn',
    ]);
  });
});

test('the coder asks the official client of version 2 with a form in a turn, and with a page in a login', async () => {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const elicit: DrivenCommand['elicit'] = (request) => {
    asked.push(request);
    return request['mode'] === 'form' ? { action: 'accept', content: { answer: 'green' } } : { action: 'decline' };
  };
  await driveCoder(async ({ call, introduction, turn, updates }) => {
    const { authMethods } = introduction as { readonly authMethods: readonly { readonly methodId: string }[] };
    expect(authMethods.map(({ methodId }) => methodId)).toContain('anthropic');
    const login = await call('auth/login', { methodId: 'anthropic' }).catch((error: unknown) => error);
    const { sessionId } = (await call('session/new', { cwd })) as { readonly sessionId: string };
    const end = await turn(sessionId, 'ask "Which colour?", one of: red, green');
    const toolCallId = updates.find(({ sessionUpdate }) => sessionUpdate === 'tool_call_update')?.['toolCallId'];
    expect({
      asked,
      end,
      login: login instanceof Error,
      states: updates.flatMap(({ state }) => (typeof state === 'string' ? [state] : [])),
      call: updates.findLast(({ status }) => status)?.['status'],
    }).toMatchObject({
      asked: [
        {
          mode: 'url',
          requestId: expect.anything() as unknown,
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as string,
        },
        { mode: 'form', sessionId, toolCallId, message: 'Which colour?' },
      ],
      end: 'end_turn',
      login: true,
      states: ['running', 'requires_action', 'running', 'idle'],
      call: 'completed',
    });
  }, elicit);
});
