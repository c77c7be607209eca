import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';

const official = dirname(fileURLToPath(import.meta.resolve('sdk-1.9')));
const modules = dirname(dirname(official));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'official-examples-'));
  await symlink(modules, join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The unchanged examples of the official package. They import it from the folder above, where modules pass on the one under test. */
async function examplesOn(sdk: string): Promise<string> {
  const root = join(folder, sdk.replaceAll('/', '-'));
  await cp(join(official, 'examples'), join(root, 'examples'), { recursive: true });
  await mkdir(join(root, 'v2'));
  await writeFile(join(root, 'package.json'), '{"type": "module"}');
  await writeFile(join(root, 'acp.js'), `export * from '${sdk}';`);
  await writeFile(join(root, 'v2/acp.js'), `export * from '${sdk}/experimental/v2';`);
  return join(root, 'examples');
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly sessionId?: string };
  readonly params?: { readonly update?: { readonly sessionUpdate: string; readonly state?: string } };
}

type Wait = (found: (message: Message) => boolean) => Promise<Message>;

/** Starts an agent and speaks to it in lines. @returns all its messages, with its random ids named `id` */
async function conversation(
  program: string,
  speak: (send: (message: object) => void, wait: Wait) => Promise<void>,
): Promise<readonly unknown[]> {
  const options = ['--conditions', '@turnwire/source', '--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...options, program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const messages: Message[] = [];
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const wait: Wait = async (found) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the agent ended');
      const message = JSON.parse(value) as Message;
      messages.push(message);
      if (found(message)) return message;
    }
  };
  try {
    await speak((message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`), wait);
  } finally {
    child.kill();
  }
  const text = JSON.stringify(messages).replaceAll(/"(sessionId|messageId)":"[^"]*"/g, '"$1":"id"');
  return JSON.parse(text) as readonly unknown[];
}

const answer =
  (id: number) =>
  (message: Message): boolean =>
    message.id === id;

/** Introduces a client and opens a session. */
async function begin(send: (message: object) => void, wait: Wait, params: object): Promise<string> {
  send({ id: 0, method: 'initialize', params });
  await wait(answer(0));
  send({ id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
  const { result } = await wait(answer(1));
  return result?.sessionId ?? '';
}

const prompt = [{ type: 'text', text: 'Hello' }];
const update = (fields: object): object => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 'id', update: fields },
});
const result = (id: number, fields: object): object => ({ jsonrpc: '2.0', id, result: fields });
const text = (said: string): object => ({ type: 'text', text: said });

describe.each(['sdk-1.9', '@turnwire/sdk-compat'])('the examples of the official package on %s', (sdk) => {
  let examples: string;
  beforeAll(async () => (examples = await examplesOn(sdk)));

  test(
    'end a turn that is cancelled',
    async () => {
      const seen = await conversation(join(examples, 'agent.js'), async (send, wait) => {
        const sessionId = await begin(send, wait, { protocolVersion: 1 });
        send({ id: 2, method: 'session/prompt', params: { sessionId, prompt } });
        await wait(({ params }) => params?.update !== undefined);
        send({ method: 'session/cancel', params: { sessionId } });
        await wait(answer(2));
      });
      const said = "I'll help you with that. Let me start by reading some files to understand the current situation.";
      expect(seen).toEqual([
        result(0, { protocolVersion: 1, agentCapabilities: { loadSession: false } }),
        result(1, { sessionId: 'id' }),
        update({ sessionUpdate: 'agent_message_chunk', content: text(said) }),
        result(2, { stopReason: 'cancelled' }),
      ]);
    },
    within(20_000),
  );

  test(
    'route a client of version 1',
    async () => {
      const seen = await conversation(join(examples, 'dual-version-agent.js'), async (send, wait) => {
        const sessionId = await begin(send, wait, { protocolVersion: 1 });
        send({ id: 2, method: 'session/prompt', params: { sessionId, prompt } });
        await wait(answer(2));
      });
      expect(seen).toEqual([
        result(0, { protocolVersion: 1, agentCapabilities: { loadSession: false } }),
        result(1, { sessionId: 'id' }),
        update({ sessionUpdate: 'agent_message_chunk', content: text('Hello from the v1 implementation.') }),
        result(2, { stopReason: 'end_turn' }),
      ]);
    },
    within(20_000),
  );

  test(
    'route a client of version 2, and cancel its turn',
    async () => {
      const seen = await conversation(join(examples, 'dual-version-agent.js'), async (send, wait) => {
        const info = { name: 'test', version: '1' };
        const sessionId = await begin(send, wait, { protocolVersion: 2, info, capabilities: {} });
        send({ id: 2, method: 'session/prompt', params: { sessionId, prompt } });
        await wait(({ params }) => params?.update?.state === 'running');
        send({ method: 'session/cancel', params: { sessionId } });
        await wait(({ params }) => params?.update?.state === 'idle');
      });
      const agent = { name: 'dual-version-example', version: '1.0.0' };
      expect(seen).toEqual([
        result(0, { protocolVersion: 2, info: agent, capabilities: { session: {} } }),
        result(1, { sessionId: 'id' }),
        result(2, { messageId: 'id' }),
        update({ sessionUpdate: 'user_message', messageId: 'id', content: prompt }),
        update({ sessionUpdate: 'state_update', state: 'running' }),
        update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' }),
      ]);
    },
    within(20_000),
  );
});
