import { ProtocolError } from '@turnwire/protocol';
import type { SessionConfigOption } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { pair } from './agent-pair.ts';

const modes = [
  { id: 'code', name: 'Code', description: 'All tools' },
  { id: 'ask', name: 'Ask' },
];

const modeOption = (currentValue: string): SessionConfigOption => ({
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  type: 'select',
  currentValue,
  options: [
    { value: 'code', name: 'Code', description: 'All tools' },
    { value: 'ask', name: 'Ask' },
  ],
});

const model = (currentValue = 'small'): SessionConfigOption => ({
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: [
    { group: 'here', name: 'Here', options: [{ value: 'small', name: 'Small' }] },
    { group: 'there', name: 'There', options: [{ value: 'large', name: 'Large' }] },
  ],
});

const fast = (currentValue = false): SessionConfigOption => ({
  id: 'fast',
  name: 'Fast',
  type: 'boolean',
  currentValue,
});

const booleans = { session: { configOptions: { boolean: {} } } };
const begin = { cwd: '/', mcpServers: [] };

test('without modes and options their methods do not exist', async () => {
  const { client, open } = await pair({});
  const sessionId = await open();
  await expect(client.request('session/set_mode', { sessionId, modeId: 'code' })).rejects.toMatchObject({
    code: -32601,
  });
  await expect(
    client.request('session/set_config_option', { sessionId, configId: 'model', value: 'large' }),
  ).rejects.toMatchObject({ code: -32601 });
});

test('a session begins in the first mode, which is shown as an option too', async () => {
  const { client } = await pair({ modes, configOptions: [model()] });
  expect(await client.request('session/new', begin)).toEqual({
    sessionId: expect.any(String),
    modes: { currentModeId: 'code', availableModes: modes },
    configOptions: [modeOption('code'), model()],
  });
});

test('setting the mode as a mode or as an option updates both and calls the agent once', async () => {
  const seen: unknown[] = [];
  const { client, open, received } = await pair({
    modes,
    modeChanged: (session) => void seen.push([session.modeId, session.option('mode')]),
  });
  const sessionId = await open();
  expect(await client.request('session/set_mode', { sessionId, modeId: 'ask' })).toEqual({});
  await client.request('session/set_mode', { sessionId, modeId: 'ask' });
  expect(await client.request('session/set_config_option', { sessionId, configId: 'mode', value: 'code' })).toEqual({
    configOptions: [modeOption('code')],
  });
  expect([received, seen]).toEqual([
    [
      { sessionUpdate: 'current_mode_update', currentModeId: 'ask' },
      { sessionUpdate: 'config_option_update', configOptions: [modeOption('ask')] },
      { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
      { sessionUpdate: 'config_option_update', configOptions: [modeOption('code')] },
    ],
    [
      ['ask', 'ask'],
      ['code', 'code'],
    ],
  ]);
});

test('a mode change by the agent is sent to the client', async () => {
  const { open, prompt, received } = await pair({
    modes,
    prompt: async ({ session, text }) => {
      await session.setMode(text);
      await session.setMode(text);
    },
  });
  const id = await open();
  await prompt(id, 'ask');
  expect(received).toEqual([
    { sessionUpdate: 'current_mode_update', currentModeId: 'ask' },
    { sessionUpdate: 'config_option_update', configOptions: [modeOption('ask')] },
    { stopReason: 'end_turn' },
  ]);
  await expect(prompt(id, 'dance')).rejects.toMatchObject({ code: -32603 });
});

test('a value that is not offered cannot be set, and a refusal changes nothing', async () => {
  const { client, open } = await pair({
    modes,
    configOptions: [model(), fast()],
    modeChanged: () => Promise.reject(new ProtocolError(-32000, 'Log in first')),
    optionChanged: () => Promise.reject(new ProtocolError(-32603, 'The model is gone')),
  });
  const sessionId = await open();
  const set = (configId: string, value: string): Promise<unknown> =>
    client.request('session/set_config_option', { sessionId, configId, value });
  await expect(client.request('session/set_mode', { sessionId, modeId: 'dance' })).rejects.toEqual(
    new ProtocolError(-32602, 'modeId: There is no mode "dance"'),
  );
  await expect(client.request('session/set_mode', { sessionId, modeId: 'ask' })).rejects.toThrow('Log in first');
  await expect(set('colour', 'red')).rejects.toEqual(
    new ProtocolError(-32602, 'configId: there is no option "colour"'),
  );
  await expect(set('model', 'huge')).rejects.toEqual(
    new ProtocolError(-32602, 'value: the option "model" has no value "huge"'),
  );
  await expect(set('fast', 'true')).rejects.toEqual(new ProtocolError(-32602, 'configId: there is no option "fast"'));
  await expect(set('model', 'large')).rejects.toThrow('The model is gone');
  await expect(set('mode', 'ask')).rejects.toThrow('Log in first');
  await expect(
    client.request('session/set_config_option', { sessionId, configId: 'model', type: 'boolean', value: true }),
  ).rejects.toMatchObject({ code: -32602 });
});

test('options of type boolean are shown and set if the client supports them', async () => {
  const seen: unknown[] = [];
  const plain = await pair({
    configOptions: [fast()],
    prompt: ({ session }) => void seen.push(session.option('fast')),
  });
  const rich = await pair(
    { configOptions: [fast()], optionChanged: (session, id) => void seen.push([id, session.option(id)]) },
    { capabilities: booleans },
  );
  const { sessionId } = await rich.client.request('session/new', begin);
  const answer = await rich.client.request('session/set_config_option', {
    sessionId,
    configId: 'fast',
    type: 'boolean',
    value: true,
  });
  await plain.prompt(await plain.open(), 'hello');
  expect([await plain.client.request('session/new', begin), answer, seen]).toEqual([
    { sessionId: expect.any(String) },
    { configOptions: [fast(true)] },
    [['fast', true], false],
  ]);
  await expect(
    rich.client.request('session/set_config_option', { sessionId, configId: 'fast', value: 'on' }),
  ).rejects.toEqual(new ProtocolError(-32602, 'value: the option "fast" takes a boolean, with "type": "boolean"'));
});

test('options may depend on each other, and a change by the agent sends all of them', async () => {
  const effort = { id: 'effort', name: 'Effort', type: 'select', currentValue: 'low' } as const;
  const levels = [
    { value: 'low', name: 'Low' },
    { value: 'high', name: 'High' },
  ];
  const { client, open, prompt, received } = await pair<{ hasEffort: boolean }>({
    openSession: () => ({ hasEffort: false }),
    configOptions: ({ memory }) => [model(), ...(memory.hasEffort ? [{ ...effort, options: levels }] : [])],
    optionChanged: ({ memory }) => void (memory.hasEffort = true),
    prompt: ({ session }) => session.setOption('effort', 'high'),
  });
  const sessionId = await open();
  expect(await client.request('session/set_config_option', { sessionId, configId: 'model', value: 'large' })).toEqual({
    configOptions: [model('large'), { ...effort, options: levels }],
  });
  await prompt(sessionId, 'hello');
  expect(received).toEqual([
    {
      sessionUpdate: 'config_option_update',
      configOptions: [model('large'), { ...effort, currentValue: 'high', options: levels }],
    },
    { stopReason: 'end_turn' },
  ]);
});

test('an option may depend on the value of another', async () => {
  const seen: unknown[] = [];
  const { client, open } = await pair({
    configOptions: (session) => {
      seen.push(session.option('model'));
      const chosen = session.option('model') ?? 'small';
      return [
        model(),
        { id: 'of', name: `Of ${chosen}`, type: 'select', currentValue: 'x', options: [{ value: 'x', name: 'X' }] },
      ];
    },
    prompt: () => undefined,
  });
  const sessionId = await open();
  const answer = await client.request('session/set_config_option', { sessionId, configId: 'model', value: 'large' });
  expect(answer.configOptions.map(({ name }) => name)).toEqual(['Model', 'Of large']);
  expect([seen.at(0), seen.at(-1)]).toEqual([undefined, 'large']);
});

test('mode and options survive the connection if they are still offered', async () => {
  const store = memoryStore();
  const before = await pair({ store, modes, configOptions: [model(), fast()] }, { capabilities: booleans });
  const sessionId = await before.open();
  await before.client.request('session/set_mode', { sessionId, modeId: 'ask' });
  await before.client.request('session/set_config_option', { sessionId, configId: 'model', value: 'large' });
  await before.client.request('session/set_config_option', {
    sessionId,
    configId: 'fast',
    type: 'boolean',
    value: true,
  });
  await before.agent.close();
  const after = await pair({ store, modes, configOptions: [model()] });
  const resumed = await after.client.request('session/resume', { sessionId, cwd: '/' });
  await after.agent.close();
  const poorer = await pair({
    store,
    modes: modes.slice(0, 1),
    configOptions: [
      { id: 'model', name: 'Model', type: 'select', currentValue: 'tiny', options: [{ value: 'tiny', name: 'Tiny' }] },
    ],
  });
  const again = await poorer.client.request('session/load', { sessionId, ...begin });
  expect([resumed, again.modes?.currentModeId, again.configOptions?.map(({ currentValue }) => currentValue)]).toEqual([
    {
      modes: { currentModeId: 'ask', availableModes: modes },
      configOptions: [modeOption('ask'), model('large')],
    },
    'code',
    ['code', 'tiny'],
  ]);
});
