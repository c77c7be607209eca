import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryPair } from '@turnwire/transports/memory';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bareClient, fullClient } from '../src/agent/host/client-offer.ts';
import { type Host, simulateHost } from '../src/agent/host/simulate-host.ts';
import { isRunning } from '../src/agent/fixtures/running-process.ts';
import type { RawMessage } from '../src/wire/messages.ts';
import { transportLine } from '../src/wire/transport-line.ts';
import { Wire } from '../src/wire/wire.ts';

const timeout = 10_000;
const sessionId = 'orchard';
let parent: string;
let folder: string;
let host: Host;
let agent: Wire;
let client: Wire;

beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-host-')));
  folder = join(parent, 'project');
  await mkdir(folder);
  begin(fullClient);
});

afterEach(async () => {
  await Promise.all([host.close(), client.close(), agent.close()]);
  await rm(parent, { recursive: true, force: true });
});

function begin(capabilities: RawMessage): void {
  const [here, there] = memoryPair();
  client = new Wire(transportLine(here), { plays: 'client', timeout });
  agent = new Wire(transportLine(there), { plays: 'agent', timeout });
  host = simulateHost(client, { capabilities, folder });
}

/** The answer of the client: its result, or the code of its error. */
async function asked(method: string, params: RawMessage): Promise<unknown> {
  const { result, error } = await agent.ask(method, { sessionId, ...params });
  return error === undefined ? result : error.code;
}

async function created(params: RawMessage): Promise<string> {
  const { terminalId } = (await asked('terminal/create', params)) as { readonly terminalId: string };
  return terminalId;
}

describe('files of the simulated client', () => {
  test('are read from disk, completely or by lines', async () => {
    const path = join(folder, 'orchard.txt');
    await writeFile(path, 'quince\nmedlar\nmulberry\n');
    expect([
      await asked('fs/read_text_file', { path }),
      await asked('fs/read_text_file', { path, line: 2, limit: 1 }),
      await asked('fs/read_text_file', { path, line: null, limit: 2 }),
      await asked('fs/read_text_file', { path, line: 9 }),
    ]).toEqual([
      { content: 'quince\nmedlar\nmulberry\n' },
      { content: 'medlar\n' },
      { content: 'quince\nmedlar\n' },
      { content: '' },
    ]);
  });

  test('have their unsaved content until they are written', async () => {
    const path = join(folder, 'new', 'orchard.txt');
    host.files.unsaved.set(path, 'quince');
    expect([
      await asked('fs/read_text_file', { path }),
      await asked('fs/write_text_file', { path, content: 'medlar' }),
      await asked('fs/read_text_file', { path }),
      await readFile(path, 'utf8'),
    ]).toEqual([{ content: 'quince' }, {}, { content: 'medlar' }, 'medlar']);
  });

  test('that are missing, outside of its folders or named by a relative path are refused', async () => {
    const outside = join(parent, '..', 'turnwire-elsewhere.txt');
    expect([
      await asked('fs/read_text_file', { path: join(folder, 'none.txt') }),
      await asked('fs/read_text_file', { path: outside }),
      await asked('fs/write_text_file', { path: outside, content: '' }),
      await asked('fs/read_text_file', { path: 'orchard.txt' }),
    ]).toEqual([-32_002, -32_602, -32_602, -32_602]);
  });
});

describe('a terminal of the simulated client', () => {
  test('runs a command, reports its output and exit, and is gone after its release', async () => {
    const terminalId = await created({
      command: 'sh',
      args: ['-c', 'echo "$TREE"; exit 3'],
      env: [{ name: 'TREE', value: 'quince' }],
    });
    expect([
      host.terminals.held,
      await asked('terminal/wait_for_exit', { terminalId }),
      await asked('terminal/output', { terminalId }),
      await asked('terminal/release', { terminalId }),
      await asked('terminal/output', { terminalId }),
      host.terminals.held,
      host.terminals.created,
    ]).toEqual([
      [terminalId],
      { exitCode: 3, signal: null },
      { output: 'quince\n', truncated: false, exitStatus: { exitCode: 3, signal: null } },
      {},
      -32_602,
      [],
      1,
    ]);
  });

  test('runs a command without arguments as a shell line, by default in the folder of the client', async () => {
    const terminalId = await created({ command: 'pwd && cd / && pwd' });
    await asked('terminal/wait_for_exit', { terminalId });
    expect(await asked('terminal/output', { terminalId })).toMatchObject({ output: `${folder}\n/\n` });
  });

  test('keeps the end of the output without cutting a character', async () => {
    const terminalId = await created({ command: "printf 'äöüäöü'", outputByteLimit: 5 });
    await asked('terminal/wait_for_exit', { terminalId });
    expect(await asked('terminal/output', { terminalId })).toEqual({
      output: 'öü',
      truncated: true,
      exitStatus: { exitCode: 0, signal: null },
    });
  });

  test('is killed with its child processes and keeps its output', async () => {
    const terminalId = await created({ command: 'sleep 60 & echo $!; wait' });
    const pid = await childOf(terminalId);
    expect([
      await asked('terminal/kill', { terminalId }),
      await asked('terminal/wait_for_exit', { terminalId }),
    ]).toEqual([{}, { exitCode: null, signal: 'SIGKILL' }]);
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(await asked('terminal/output', { terminalId })).toMatchObject({ output: `${pid}\n` });
  });

  test('is killed when the client closes', async () => {
    const pid = await childOf(await created({ command: 'sleep 60 & echo $!; wait' }));
    await host.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('refuses another session, a relative folder and a missing command', async () => {
    const terminalId = await created({ command: 'true' });
    expect([
      await asked('terminal/output', { terminalId, sessionId: 'garden' }),
      await asked('terminal/create', { command: 'true', cwd: 'project' }),
      await asked('terminal/create', {}),
      await asked('terminal/wait_for_exit', {
        terminalId: await created({ command: 'turnwire-no-such-program', args: ['x'] }),
      }),
    ]).toEqual([-32_602, -32_602, -32_602, { exitCode: 127, signal: null }]);
  });
});

test('the simulated client allows requests once and declines questions', async () => {
  const options = [
    { optionId: 'never', name: 'Never', kind: 'reject_always' },
    { optionId: 'once', name: 'Once', kind: 'allow_once' },
  ];
  expect([
    await asked('session/request_permission', { options }),
    await asked('elicitation/create', { mode: 'form' }),
    await asked('elicitation/create', { mode: 'url' }),
    await asked('elicitation/create', { mode: 'song' }),
  ]).toEqual([
    { outcome: { outcome: 'selected', optionId: 'once' } },
    { action: 'decline' },
    { action: 'decline' },
    -32_602,
  ]);
});

test('the simulated client refuses methods that it does not offer', async () => {
  begin(bareClient);
  const methods = [
    'fs/read_text_file',
    'fs/write_text_file',
    'terminal/create',
    'terminal/output',
    'terminal/wait_for_exit',
    'terminal/kill',
    'terminal/release',
    'elicitation/create',
  ];
  const codes = await Promise.all(methods.map((method) => asked(method, { path: join(folder, 'x'), command: 'true' })));
  expect(codes).toEqual(methods.map(() => -32_601));
});

/** The process id that the command printed. */
async function childOf(terminalId: string): Promise<number> {
  const output = async (): Promise<string> => {
    const answer = (await asked('terminal/output', { terminalId })) as { readonly output: string };
    return answer.output;
  };
  await expect.poll(output).toMatch(/^\d+\n$/);
  return Number(await output());
}
