import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type { SessionUpdate } from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { numbered } from './agent-pair.ts';

const source = bundleProgram(fileURLToPath(new URL('../src/node/index.ts', import.meta.url)));
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a program that serves an agent; `serveAgent` is imported for it. */
async function start(name: string, program: string): ReturnType<typeof launch> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, `import { serveAgent } from ${JSON.stringify(source)};\n${program}`);
  return launch(file);
}

async function launch(file: string) {
  const child = spawn(process.execPath, [file]);
  const updates: SessionUpdate[] = [];
  const client = connectClient(stdioTransport({ input: child.stdout, output: child.stdin }), {
    'session/update': ({ update }) => void updates.push(update),
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  await client.request('initialize', { protocolVersion });
  const { sessionId } = await client.request('session/new', { cwd: '/', mcpServers: [] });
  const prompt = (text: string) => client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  return { child, client, updates, prompt, stderr: () => complaints };
}

const echo = `serveAgent({
  info: { name: 'echo', version: '1.0.0' },
  prompt: (turn) => turn.say(\`You said: \${turn.text}\`),
});`;

test('an agent of four lines serves its client and ends with it', async () => {
  const { child, client, updates, prompt } = await start('echo', echo);
  const answer = await prompt('hello');
  const exited = once(child, 'exit');
  await client.close();
  expect([numbered(updates), answer, await exited]).toEqual([
    [{ sessionUpdate: 'agent_message_chunk', messageId: 'id-1', content: { type: 'text', text: 'You said: hello' } }],
    { stopReason: 'end_turn' },
    [0, null],
  ]);
});

test('console output and errors of a handler reach stderr, never the connection', async () => {
  const { child, client, prompt, stderr } = await start(
    'thrower',
    `serveAgent({
      info: { name: 'thrower', version: '1.0.0' },
      prompt: () => { console.log('printed'); throw new Error('the reason'); },
    });`,
  );
  await expect(prompt('hello')).rejects.toThrow('The agent failed while answering the prompt (Error)');
  const exited = once(child, 'exit');
  await client.close();
  await exited;
  expect(stderr()).toMatch(/^printed\nthe prompt handler threw: session\/prompt\nError: the reason\n/);
});

test('an agent whose handler never returns ends when its client disconnects', async () => {
  const { child, client, prompt } = await start(
    'stuck',
    `serveAgent({
      info: { name: 'stuck', version: '1.0.0' },
      prompt: (turn) => { void turn.say('stuck'); setInterval(() => {}, 1000); return new Promise(() => {}); },
    }, { limits: { drain: 0 } });`,
  );
  const answer = prompt('hello').catch((error: unknown) => error);
  const exited = once(child, 'exit');
  await client.close();
  expect([await answer, await exited]).toEqual([expect.objectContaining({ code: 'connection-closed' }), [0, null]]);
});
