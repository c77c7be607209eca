import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configFolder } from '@turnwire/machine';
import { ModelFixture } from './model-fixture.ts';

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
  webSearch: undefined,
  passKeysToCommands: false,
  timeouts: {},
  hooks: {},
  warnings: [],
};

test('without flags, variables and files every setting has its default', async () => {
  await using fixture = await ModelFixture.open();
  expect(await fixture.settings()).toEqual({ ...nothing, userFile: join(fixture.folder, userFile) });
});

test('a file may contain every setting, and comments', async () => {
  await using fixture = await ModelFixture.open(
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
        "hooks": { "after": [{ "command": "npx tsc", "tools": ["edit"], "files": ["*.ts"], "timeoutSeconds": 9 }] },
        "timeouts": { "firstByteSeconds": 300, "idleSeconds": 90, "attempts": 2 },
      }`,
    },
  );
  expect(await fixture.settings()).toEqual({
    model: 'openrouter/a/b',
    modelFrom: join(fixture.folder, userFile),
    thoughtLevel: 'high',
    limits: { maxSteps: 5, maxTokens: 6, maxCost: 0.5, maxMinutes: 1.5 },
    providers: {
      corp: { baseUrl: 'https://models.corp/v1', apiKey: 'k', headers: { 'x-team': 'a' }, models: ['big'] },
    },
    mcpServers: { files: { command: 'mcp-files' } },
    fetch: { allowPrivate: true },
    passKeysToCommands: true,
    keepSessionsDays: 90,
    timeouts: { firstByteSeconds: 300, idleSeconds: 90, attempts: 2 },
    hooks: { after: [{ command: 'npx tsc', tools: ['edit'], files: ['*.ts'], timeoutSeconds: 9 }] },
    userFile: join(fixture.folder, userFile),
    warnings: [],
  });
});

test('a flag takes precedence over a variable, and a variable over the file', async () => {
  const file = { [userFile]: '{"model": "ollama/file", "limits": {"maxSteps": 7}}' };
  await using withFile = await ModelFixture.open({}, file);
  await using withVariable = await ModelFixture.open({ TURNWIRE_CODER_MODEL: 'ollama/variable' }, file);
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
  await using fixture = await ModelFixture.open(
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
  const path = join(fixture.folder, projectFile);
  const refusal = (line: number, setting: string): string =>
    `${path}:${line}:3: a project cannot set "${setting}"; it is left out. Set it in your own coder.json.`;
  expect(await fixture.settings()).toEqual({
    ...nothing,
    thoughtLevel: 'low',
    limits: { maxSteps: 10, maxTokens: undefined, maxCost: 0.2, maxMinutes: 3 },
    userFile: join(fixture.folder, userFile),
    warnings: [
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
    ':3:3: not JSON from here on (InvalidSymbol). The whole file is ignored until it is repaired.',
  ],
  ['a list', '[1]', ':1:1: expected an object with settings. The whole file is ignored until it is repaired.'],
  ['empty', '', ':1:1: not JSON from here on (ValueExpected). The whole file is ignored until it is repaired.'],
])('a file that is %s is reported with its line, and none of it applies', async (_, text, warning) => {
  await using fixture = await ModelFixture.open({}, { [userFile]: text });
  const { model, warnings } = await fixture.settings();
  expect({ model, warnings }).toEqual({ model: undefined, warnings: [`${join(fixture.folder, userFile)}${warning}`] });
});

test('an invalid setting is left out and reported; the others apply', async () => {
  const text = `{
  "model": "no provider",
  "limits": { "maxSteps": 0 },
  "provider": {},
  "providers": { "corp": { "baseUrl": "file:///etc", "apiKey": "k" } },
  "thoughtLevel": "low",
}`;
  await using fixture = await ModelFixture.open({}, { [userFile]: text });
  const settings = await fixture.settings();
  const path = join(fixture.folder, userFile);
  expect(settings).toEqual({
    ...nothing,
    thoughtLevel: 'low',
    providers: { corp: { baseUrl: '', apiKey: 'k' } },
    userFile: path,
    warnings: [
      `${path}:2:12: "model" is left out: expected a model as provider/model.`,
      `${path}:3:27: "limits.maxSteps" is left out: Too small: expected number to be >0.`,
      `${path}:4:3: there is no setting "provider"; it is left out.`,
      `${path}:5:39: "providers.corp.baseUrl" is left out: expected an http or https address.`,
    ],
  });
});

test('a setting that looks like a rule is reported as without effect', async () => {
  const text = '{"deny": ["Bash(rm *)"],\n"permissions": {"deny": []}}';
  await using fixture = await ModelFixture.open({}, { [userFile]: text });
  const path = join(fixture.folder, userFile);
  const warningAt = (location: string, name: string): string =>
    `${path}:${location}: there is no setting "${name}"; it is left out, and forbids nothing. Rules belong in permissions.json in the same folder.`;
  expect((await fixture.settings()).warnings).toEqual([warningAt('1:2', 'deny'), warningAt('2:1', 'permissions')]);
});

test('an invalid part of a setting is left out and reported; the other parts apply', async () => {
  const text = `{
  "limits": { "maxSteps": -1, "maxCost": 2.5, "maxStep": 3 },
  "providers": {
    "corp": { "baseUrl": "https://models.corp/v1", "models": ["big", 7, "small"] },
    "openai": { "apiKey": 5 }
  },
  "timeouts": { "attempts": 99, "idleSeconds": 90 },
  "fetch": 1
}`;
  await using fixture = await ModelFixture.open({}, { [userFile]: text });
  const path = join(fixture.folder, userFile);
  expect(await fixture.settings()).toEqual({
    ...nothing,
    limits: { ...nothing.limits, maxCost: 2.5 },
    providers: { corp: { baseUrl: 'https://models.corp/v1', models: ['big', 'small'] }, openai: {} },
    timeouts: { idleSeconds: 90 },
    userFile: path,
    warnings: [
      `${path}:2:27: "limits.maxSteps" is left out: Too small: expected number to be >0.`,
      `${path}:2:58: "limits.maxStep" is left out: there is no such setting.`,
      `${path}:4:70: "providers.corp.models.1" is left out: expected the name of a model, or an object with name, contextWindow and price.`,
      `${path}:5:27: "providers.openai.apiKey" is left out: Invalid input: expected string, received number.`,
      `${path}:7:29: "timeouts.attempts" is left out: Too big: expected number to be <=20.`,
      `${path}:8:12: "fetch" is left out: Invalid input: expected object, received number.`,
    ],
  });
});

test('a provider with an invalid address is not called at its default address', async () => {
  const text = '{"providers": {"openai": {"baseUrl": "proxy of ours"}}}';
  await using fixture = await ModelFixture.open({ OPENAI_API_KEY: 'k' }, { [userFile]: text });
  await expect(fixture.choose('openai/gpt-6-sol')).rejects.toThrow(
    'OpenAI has no valid address, so openai/gpt-6-sol cannot be used.',
  );
});

test('a folder in place of the file is reported', async () => {
  await using fixture = await ModelFixture.open({}, { [`${userFile}/x`]: '' });
  expect((await fixture.settings()).warnings).toEqual([
    `${join(fixture.folder, userFile)} cannot be read: it is a folder, and only regular files are read.`,
  ]);
});

test.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)('a file that cannot be read is told', async () => {
  await using fixture = await ModelFixture.open({}, { [userFile]: '{}' });
  await chmod(join(fixture.folder, userFile), 0o000);
  expect((await fixture.settings()).warnings).toEqual([
    `${join(fixture.folder, userFile)} cannot be read: permission denied (EACCES). Check the permissions of the file and its folder.`,
  ]);
});

test('a relative configuration folder is ignored', () => {
  expect(configFolder({ XDG_CONFIG_HOME: 'relative' })).toBe(configFolder({}));
});
