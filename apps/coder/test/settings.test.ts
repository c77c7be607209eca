import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configFolder } from '@turnwire/machine';
import { ModelRoom } from './model-room.ts';

const userFile = 'config/turnwire/coder.json';
const projectFile = 'project/.turnwire/coder.json';

const nothing = {
  model: undefined,
  modelFrom: undefined,
  thoughtLevel: undefined,
  limits: { maxSteps: undefined, maxTokens: undefined, maxCost: undefined, maxMinutes: undefined },
  providers: {},
  mcpServers: undefined,
  fetch: { allowPrivate: false },
  passKeysToCommands: false,
  patience: {},
  troubles: [],
};

test('without flags, variables and files nothing is set', async () => {
  await using room = await ModelRoom.open();
  expect(await room.settings()).toEqual({ ...nothing, userFile: join(room.folder, userFile) });
});

test('a file may hold everything, and comments', async () => {
  await using room = await ModelRoom.open(
    {},
    {
      [userFile]: `\uFEFF{
        // what I like
        "$schema": "x",
        "model": "openrouter/a/b",
        "thoughtLevel": "high",
        "limits": { "maxSteps": 5, "maxTokens": 6, "maxCost": 0.5, "maxMinutes": 1.5 },
        "providers": { "corp": { "baseUrl": "https://models.corp/v1", "apiKey": "k", "headers": { "x-team": "a" }, "models": ["big"] } },
        "mcpServers": { "files": { "command": "mcp-files" } },
        "fetch": { "allowPrivate": true },
        "passKeysToCommands": true,
        "keepSessionsDays": 90,
        "patience": { "firstByteSeconds": 300, "idleSeconds": 90, "attempts": 2 },
      }`,
    },
  );
  expect(await room.settings()).toEqual({
    model: 'openrouter/a/b',
    modelFrom: join(room.folder, userFile),
    thoughtLevel: 'high',
    limits: { maxSteps: 5, maxTokens: 6, maxCost: 0.5, maxMinutes: 1.5 },
    providers: {
      corp: { baseUrl: 'https://models.corp/v1', apiKey: 'k', headers: { 'x-team': 'a' }, models: ['big'] },
    },
    mcpServers: { files: { command: 'mcp-files' } },
    fetch: { allowPrivate: true },
    passKeysToCommands: true,
    keepSessionsDays: 90,
    patience: { firstByteSeconds: 300, idleSeconds: 90, attempts: 2 },
    userFile: join(room.folder, userFile),
    troubles: [],
  });
});

test('a flag holds before a variable, and a variable before the file', async () => {
  const file = { [userFile]: '{"model": "ollama/file", "limits": {"maxSteps": 7}}' };
  await using withFile = await ModelRoom.open({}, file);
  await using withVariable = await ModelRoom.open({ TURNWIRE_CODER_MODEL: 'ollama/variable' }, file);
  const chosen = [
    await withFile.settings(),
    await withVariable.settings(),
    await withVariable.settings({ model: 'ollama/flag', maxSteps: 9 }),
  ];
  expect(chosen.map(({ model, modelFrom, limits: { maxSteps } }) => ({ model, modelFrom, maxSteps }))).toEqual([
    { model: 'ollama/file', modelFrom: join(withFile.folder, userFile), maxSteps: 7 },
    { model: 'ollama/variable', modelFrom: 'TURNWIRE_CODER_MODEL', maxSteps: 7 },
    { model: 'ollama/flag', modelFrom: '--model', maxSteps: 9 },
  ]);
});

test('a project may lower limits and set the thought level, and nothing else', async () => {
  await using room = await ModelRoom.open(
    {},
    {
      [userFile]: '{"thoughtLevel": "high", "limits": {"maxSteps": 10, "maxCost": 1}}',
      [projectFile]: `{
  "thoughtLevel": "low",
  "limits": {"maxSteps": 50, "maxCost": 0.2, "maxMinutes": 3},
  "model": "openrouter/x/y",
  "providers": {"openai": {"baseUrl": "https://elsewhere.example"}},
  "mcpServers": {"x": {"command": "rm"}},
  "fetch": {"allowPrivate": true},
  "passKeysToCommands": true
}`,
    },
  );
  const path = join(room.folder, projectFile);
  const refusal = (line: number, setting: string): string =>
    `${path}:${line}:3: a project cannot set "${setting}"; it is left out. Set it in your own coder.json.`;
  expect(await room.settings()).toEqual({
    ...nothing,
    thoughtLevel: 'low',
    limits: { maxSteps: 10, maxTokens: undefined, maxCost: 0.2, maxMinutes: 3 },
    userFile: join(room.folder, userFile),
    troubles: [
      refusal(4, 'model'),
      refusal(5, 'providers'),
      refusal(6, 'mcpServers'),
      refusal(7, 'fetch'),
      refusal(8, 'passKeysToCommands'),
    ],
  });
});

test.each([
  [
    'not JSON',
    '{\n  "model": "a/b",\n  oops\n}',
    ':3:3: not JSON from here on (InvalidSymbol). Nothing of it holds until it is mended.',
  ],
  ['a list', '[1]', ':1:1: expected an object with settings. Nothing of it holds until it is mended.'],
  ['empty', '', ':1:1: not JSON from here on (ValueExpected). Nothing of it holds until it is mended.'],
])('a file that is %s is told with its line, and nothing of it holds', async (_, text, trouble) => {
  await using room = await ModelRoom.open({}, { [userFile]: text });
  const { model, troubles } = await room.settings();
  expect({ model, troubles }).toEqual({ model: undefined, troubles: [`${join(room.folder, userFile)}${trouble}`] });
});

test('a setting that is wrong is left out and told; the others hold', async () => {
  const text = `{
  "model": "no provider",
  "limits": { "maxSteps": 0 },
  "provider": {},
  "providers": { "corp": { "baseUrl": "file:///etc", "apiKey": "k" } },
  "thoughtLevel": "low",
}`;
  await using room = await ModelRoom.open({}, { [userFile]: text });
  const settings = await room.settings();
  const path = join(room.folder, userFile);
  expect(settings).toEqual({
    ...nothing,
    thoughtLevel: 'low',
    providers: { corp: { baseUrl: '', apiKey: 'k' } },
    userFile: path,
    troubles: [
      `${path}:2:12: "model" is left out: expected a model as provider/model.`,
      `${path}:3:27: "limits.maxSteps" is left out: Too small: expected number to be >0.`,
      `${path}:4:3: there is no setting "provider"; it is left out.`,
      `${path}:5:39: "providers.corp.baseUrl" is left out: expected an http or https address.`,
    ],
  });
});

test('what looks like a rule is told that it forbids nothing here', async () => {
  const text = '{"deny": ["Bash(rm *)"],\n"permissions": {"deny": []}}';
  await using room = await ModelRoom.open({}, { [userFile]: text });
  const path = join(room.folder, userFile);
  const told = (place: string, name: string): string =>
    `${path}:${place}: there is no setting "${name}"; it is left out, and forbids nothing. Rules are in permissions.json beside this file.`;
  expect((await room.settings()).troubles).toEqual([told('1:2', 'deny'), told('2:1', 'permissions')]);
});

test('a part of a setting that is wrong is left out and told; the other parts hold', async () => {
  const text = `{
  "limits": { "maxSteps": -1, "maxCost": 2.5, "maxStep": 3 },
  "providers": {
    "corp": { "baseUrl": "https://models.corp/v1", "models": ["big", 7, "small"] },
    "openai": { "apiKey": 5 }
  },
  "patience": { "attempts": 99, "idleSeconds": 90 },
  "fetch": 1
}`;
  await using room = await ModelRoom.open({}, { [userFile]: text });
  const path = join(room.folder, userFile);
  expect(await room.settings()).toEqual({
    ...nothing,
    limits: { ...nothing.limits, maxCost: 2.5 },
    providers: { corp: { baseUrl: 'https://models.corp/v1', models: ['big', 'small'] }, openai: {} },
    patience: { idleSeconds: 90 },
    userFile: path,
    troubles: [
      `${path}:2:27: "limits.maxSteps" is left out: Too small: expected number to be >0.`,
      `${path}:2:58: "limits.maxStep" is left out: there is no such setting.`,
      `${path}:4:70: "providers.corp.models.1" is left out: Invalid input: expected string, received number.`,
      `${path}:5:27: "providers.openai.apiKey" is left out: Invalid input: expected string, received number.`,
      `${path}:7:29: "patience.attempts" is left out: Too big: expected number to be <=20.`,
      `${path}:8:12: "fetch" is left out: Invalid input: expected object, received number.`,
    ],
  });
});

test('a provider whose address is wrong is nowhere, and not where it usually is', async () => {
  const text = '{"providers": {"openai": {"baseUrl": "proxy of ours"}}}';
  await using room = await ModelRoom.open({ OPENAI_API_KEY: 'k' }, { [userFile]: text });
  await expect(room.choose('openai/gpt-6-sol')).rejects.toThrow(
    'OpenAI has no address that can be used, so openai/gpt-6-sol cannot be asked.',
  );
});

test('a file that is a folder is told', async () => {
  await using room = await ModelRoom.open({}, { [`${userFile}/x`]: '' });
  expect((await room.settings()).troubles).toEqual([
    `${join(room.folder, userFile)} cannot be read: it is a folder, and only regular files are read.`,
  ]);
});

test.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)('a file that cannot be read is told', async () => {
  await using room = await ModelRoom.open({}, { [userFile]: '{}' });
  await chmod(join(room.folder, userFile), 0o000);
  expect((await room.settings()).troubles).toEqual([
    `${join(room.folder, userFile)} cannot be read: permission denied (EACCES). Check the permissions of the file and its folder.`,
  ]);
});

test('a folder of configuration that is not absolute is none', () => {
  expect(configFolder({ XDG_CONFIG_HOME: 'relative' })).toBe(configFolder({}));
});
