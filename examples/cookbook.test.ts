import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentDefinition, type Turn } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { type Agent, approveAll, attachAgent, type Host } from '@turnwire/client';
import type { ToolCallContent } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../tools/bundle-program.mjs';
import {
  askAboutImage,
  changesOf,
  compareImages,
  connectRemote,
  filesOfEditor,
  launchWithHost,
  newSessionWithServers,
  replaceInFile,
  runTests,
} from './cookbook.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnwire-cookbook-')));
/** An image of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const info = { name: 'cook', version: '1.0.0' };

function agentThat(prompt: (turn: Turn) => Promise<void>, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return { info, prompt, ...more };
}

/** A client of an agent in this process. It is closed when the test ends. */
async function clientOf(definition: AgentDefinition, host?: Host): Promise<Agent> {
  const [here, there] = memoryPair();
  serveAgent(definition, { transport: there });
  const agent = await attachAgent(here, { permission: approveAll, host });
  onTestFinished(async () => void (await agent.close()));
  return agent;
}

/** The final fields of the only tool call of a turn. */
async function toolCallOf(agent: Agent, cwd = folder): Promise<object> {
  const session = await agent.newSession({ cwd });
  let call = {};
  for await (const update of session.prompt('go')) {
    const { sessionUpdate: _kind, toolCallId: _id, messageId: _message, ...fields } = update as Record<string, unknown>;
    call = { ...call, ...fields };
  }
  return call;
}

test('an edit is shown as a diff, needs permission, and is written', async () => {
  const path = join(folder, 'notes.txt');
  writeFileSync(path, 'alpha and beta\n');
  const call = await toolCallOf(await clientOf(agentThat((turn) => replaceInFile(turn, path, ['alpha', 'omega']))));
  const content: readonly ToolCallContent[] = [
    { type: 'diff', path, oldText: 'alpha and beta\n', newText: 'omega and beta\n' },
  ];
  expect({ call, text: readFileSync(path, 'utf8'), shown: changesOf(content) }).toEqual({
    call: { title: `Edit ${path}`, kind: 'edit', locations: [{ path }], content, status: 'completed' },
    text: 'omega and beta\n',
    shown: [`${path}: 15 characters become 15`],
  });
});

test('a failing command is reported as a failed tool call with its output', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "scripts": { "test": "echo broken && exit 3" } }');
  expect(await toolCallOf(await clientOf(agentThat(runTests)))).toMatchObject({
    title: 'npm test',
    status: 'failed',
    rawOutput: { exitCode: 3, output: expect.stringContaining('broken') as unknown },
  });
});

test('an agent receives the image of a prompt and answers with another', async () => {
  const image = join(folder, 'screen.png');
  writeFileSync(image, Buffer.from(pixel, 'base64'));
  const agent = await clientOf(
    agentThat((turn) => compareImages(turn, Buffer.from(pixel, 'base64')), { promptCapabilities: { image: true } }),
  );
  const said: unknown[] = [];
  const session = await agent.newSession({
    cwd: folder,
    onUpdate: (update) => void ('content' in update && said.push(update.content)),
  });
  expect([await askAboutImage(agent, session, image), said]).toEqual([
    'end_turn',
    [
      { type: 'text', text: 'You sent 1 of type image/png. Here is mine:' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
    ],
  ]);
});

test('the agent reads unsaved text until it writes the file', async () => {
  const path = join(folder, 'open.txt');
  writeFileSync(path, 'saved alpha\n');
  const unsaved = new Map([[path, 'typed alpha\n']]);
  const host = { files: filesOfEditor(unsaved) };
  await toolCallOf(
    await clientOf(
      agentThat((turn) => replaceInFile(turn, path, ['alpha', 'omega'])),
      host,
    ),
  );
  expect([readFileSync(path, 'utf8'), [...unsaved]]).toEqual(['typed omega\n', []]);
});

test('the output of a command in a terminal of the client is shown', async () => {
  const shown: string[] = [];
  const coder = bundleProgram(join(import.meta.dirname, '../apps/coder/src/main.ts'));
  const agent = await launchWithHost(`${process.execPath} ${coder} --sessions off`, (line) => shown.push(line));
  onTestFinished(async () => void (await agent.close()));
  const session = await agent.newSession({ cwd: folder });
  await session.prompt('run echo from the terminal');
  await expect.poll(() => shown.at(-1)).toMatch(/^\$ .*echo from the terminal.*\nfrom the terminal\n\(ended with 0\)$/);
});

test('an agent receives the configured MCP servers that it supports', async () => {
  const file = join(folder, '.mcp.json');
  const local = { command: process.execPath, args: ['server.mjs'] };
  writeFileSync(file, JSON.stringify({ mcpServers: { local, far: { type: 'sse', url: 'https://mcp.example' } } }));
  let seen: readonly unknown[] = [];
  const agent = await clientOf(agentThat(async (turn) => void (seen = turn.session.mcpServers)));
  const session = await newSessionWithServers(agent, file);
  await session.prompt('go');
  expect(seen).toEqual([{ name: 'local', command: process.execPath, args: ['server.mjs'], env: [] }]);
});

test('a listening agent can be reached by its URL', async () => {
  const served = await serveAgent(
    agentThat((turn) => turn.say('from afar')),
    { listen: { port: 0 } },
  );
  onTestFinished(async () => void (await served.close()));
  const agent = await connectRemote(served.url, served.token);
  onTestFinished(async () => void (await agent.close()));
  expect(agent.info).toEqual(info);
});
