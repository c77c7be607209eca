import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '@turnwire/client';
import { launchAgent, type LaunchOptions } from '@turnwire/client/node';
import { scriptedElicitation } from '@turnwire/client/elicitation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collect, scripted, textOf } from '../scripted.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-whole-')));
});
afterEach(() => rm(folder, { recursive: true }));

const storing = (options?: LaunchOptions): Promise<Agent> => launchAgent(scripted('stored', folder), options);

test('a session outlives its process: it is listed, loaded with its history, resumed without, and keeps its settings', async () => {
  const first = await storing();
  const session = await first.newSession({ cwd: folder });
  await session.prompt('say one');
  await session.modes?.set('code');
  await session.configOptions?.set('model', 'large');
  const died = session.prompt('die').result.catch((error: unknown) => error);
  await died;
  await first.close();

  await using second = await storing();
  const listed = [];
  for await (const info of second.listSessions?.() ?? []) listed.push(info);
  const replayed: unknown[] = [];
  const loaded = await second.loadSession?.({
    sessionId: session.id,
    cwd: folder,
    onUpdate: (update, { isReplay }) => void replayed.push([textOf([update]) || update.sessionUpdate, isReplay]),
  });
  const resumed: unknown[] = [];
  const again = await second.resumeSession?.({
    sessionId: session.id,
    cwd: folder,
    onUpdate: (update, { isReplay }) => void resumed.push([textOf([update]), isReplay]),
  });
  await again?.prompt('say two');
  await again?.close?.();
  expect({ listed, replayed, resumed, mode: loaded?.modes?.current, options: loaded?.configOptions?.list }).toEqual({
    listed: [{ sessionId: session.id, cwd: folder }],
    replayed: [
      ['user_message_chunk', true],
      ['(say one)', true],
    ],
    resumed: [['two', false]],
    mode: 'code',
    options: [
      {
        id: 'model',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: 'large',
        options: [
          { value: 'small', name: 'Small' },
          { value: 'large', name: 'Large' },
        ],
      },
    ],
  });
});

test('an agent that requires a login gets one, and then uses the services of the host', async () => {
  await writeFile(join(folder, 'locked'), '');
  const texts = new Map<string, string>();
  await using agent = await storing({
    onLoginNeeded: ({ authMethods }) => authMethods[0]?.id,
    host: {
      files: {
        writeTextFile: ({ path, content }) => {
          texts.set(path, content);
          return {};
        },
        readTextFile: ({ path }) => ({ content: texts.get(path) ?? '' }),
      },
      elicitation: scriptedElicitation({ name: 'Ada' }),
    },
  });
  const session = await agent.newSession({ cwd: folder });
  const asked = async (request: object): Promise<unknown> =>
    JSON.parse(textOf(await collect(session.prompt(`host ${JSON.stringify(request)}`))));
  const path = join(folder, 'a.txt');
  const requestedSchema = { properties: { name: { type: 'string' } } };
  expect([
    await asked({ method: 'fs/write_text_file', path, content: 'text' }),
    await asked({ method: 'fs/read_text_file', path }),
    await asked({ method: 'elicitation/create', mode: 'form', message: 'Who?', requestedSchema }),
    await asked({ method: 'terminal/create', command: 'ls' }),
    await asked({ method: 'fs/read_text_file', sessionId: 'another', path }),
    await asked({ method: 'craft/drainMidTurnQueue' }),
  ]).toEqual([
    {},
    { content: 'text' },
    { action: 'accept', content: { name: 'Ada' } },
    expect.objectContaining({ code: -32601 }),
    expect.objectContaining({ code: -32002 }),
    expect.objectContaining({ code: -32601 }),
  ]);
});
