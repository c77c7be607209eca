import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMcpConfig } from '@turnwire/machine';
import { createPermissions } from '@turnwire/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfigFile } from '../src/config/config-file.ts';
import { configSchema } from '../src/config/config-shape.ts';
import { mcpSchema } from '../src/config/mcp-schema.ts';
import { rulesSchema } from '../src/permission/rules-schema.ts';
import { turnwire } from './command.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-schemas-')));
});
afterAll(() => rm(folder, { recursive: true }));

/** Whether a schema accepts a value. */
function fits(schema: object, value: unknown): boolean {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
}

/** Whether a configuration is used, all of it. */
async function isRead(value: unknown): Promise<boolean> {
  const path = join(folder, 'config.json');
  await writeFile(path, JSON.stringify(value));
  try {
    return (await readConfigFile({ path }))?.warnings.length === 0;
  } catch {
    return false;
  }
}

const remote = { transport: 'http', url: 'https://box.example/acp' };
const configs: readonly (readonly [unknown, boolean])[] = [
  [{}, true],
  [{ $schema: './config.schema.json', defaultAgent: 'claude' }, true],
  [{ defaultAgent: '' }, false],
  [{ defaultAgnet: 'claude' }, false],
  [{ agents: { a: 'a --acp', b: { command: 'b', args: ['x'], env: { A: 'b' } }, c: remote } }, true],
  [{ agents: { a: { transport: 'websocket', url: 'WSS://box.example', headers: { A: 'b' }, insecure: true } } }, true],
  [{ agents: { a: { transport: 'websocket', url: 'https://box.example' } } }, false],
  [{ agents: { a: { ...remote, command: 'a' } } }, false],
  [{ agents: { a: { args: ['x'] } } }, false],
  [{ agents: { a: { command: 'a', args: 'x' } } }, false],
  [{ agents: { a: 7 } }, false],
  [{ agents: [] }, false],
  ...['ask', 'approve-reads', 'approve-all', 'deny-all'].map((permissions) => [{ permissions }, true] as const),
  [{ permissions: { deny: [] } }, false],
  ...['default', 'acceptEdits', 'plan', 'bypassPermissions'].map(
    (permissionMode) => [{ permissionMode }, true] as const,
  ),
  [{ permissionMode: 'yolo' }, false],
  [{ nonInteractivePermissions: 'fail', authPolicy: 'skip', format: 'json' }, true],
  [{ nonInteractivePermissions: 'ask' }, false],
  [{ authPolicy: 'ask' }, false],
  [{ format: 'html' }, false],
  [{ ttl: 0, timeout: 0.5 }, true],
  [{ ttl: -1 }, false],
  [{ timeout: '5' }, false],
  [{ mcpConfig: '.mcp.json', mcpServers: {}, registry: 'https://a.example', notifications: false }, true],
  [{ mcpConfig: 7 }, false],
  [{ mcpServers: [] }, false],
  [{ notifications: 'no' }, false],
  [{ registry: '' }, false],
  [[], false],
];

describe('the schema of config.json', () => {
  test.each(configs)('the schema of config.json judges %j as the reader does', async (value, isGood) => {
    expect([await isRead(value), fits(configSchema(), value)]).toEqual([isGood, isGood]);
  });

  test('the schema of config.json describes every setting', () => {
    const { properties } = configSchema() as { readonly properties: Readonly<Record<string, object>> };
    const described = Object.keys(properties).filter((key) => 'description' in (properties[key] ?? {}));
    expect(['$schema', ...described]).toEqual(Object.keys(properties));
  });
});

describe('the schema of permissions.json', () => {
  test.each([
    [{}, true],
    [{ $schema: './permissions.schema.json', deny: ['Read(.env)'], ask: [], allow: ['Bash(git *)'] }, true],
    [{ denny: ['Read'] }, false],
    [{ permissions: { deny: ['Read'] } }, false],
    [{ deny: 'Read' }, false],
    [{ deny: [7] }, false],
    [{ deny: ['x'.repeat(2_001)] }, false],
    [[], false],
  ])('the schema of permissions.json judges %j as the reader does', async (value, isGood) => {
    const path = join(folder, 'permissions.json');
    await writeFile(path, JSON.stringify(value));
    const { warnings } = createPermissions({ project: folder, files: { user: path } });
    expect([warnings.length === 0, fits(rulesSchema, value)]).toEqual([isGood, isGood]);
  });
});

const mcpConfigs: readonly (readonly [unknown, boolean])[] = [
  [{ mcpServers: {} }, true],
  [{ mcpServers: { a: { command: 'a', args: ['x'], env: { A: 'b' } } } }, true],
  [{ mcpServers: { a: { type: 'stdio', command: 'a', env: [{ name: 'A', value: 'b' }] } } }, true],
  [{ servers: { a: { url: 'https://a.example/mcp', headers: { A: 'b' } } } }, true],
  [{ mcpServers: { a: { type: 'sse', url: 'http://localhost:1' } } }, true],
  [{ mcpServers: { a: { type: 'streamable-http', url: 'HTTPS://a.example', disabled: true } } }, true],
  [{}, false],
  [{ mcpServers: { a: {} } }, false],
  [{ mcpServers: { a: 'a --mcp' } }, false],
  [{ mcpServers: { a: { command: '' } } }, false],
  [{ mcpServers: { a: { command: 'a', args: 'x' } } }, false],
  [{ mcpServers: { a: { command: 'a', url: 'https://a.example' } } }, false],
  [{ mcpServers: { a: { type: 'http', command: 'a' } } }, false],
  [{ mcpServers: { a: { type: 'pipe', url: 'https://a.example' } } }, false],
  [{ mcpServers: { a: { url: 'ftp://a.example' } } }, false],
  [{ mcpServers: { a: { command: 'a', env: { A: 7 } } } }, false],
  [{ mcpServers: { a: { command: 'a', env: [{ name: '', value: 'b' }] } } }, false],
];

describe('the schema of files with MCP servers', () => {
  test.each(mcpConfigs)('the schema of MCP files judges %j as the reader does', async (value, isGood) => {
    const isRead = await readMcpConfig(value as object).then(
      () => true,
      () => false,
    );
    expect([isRead, fits(mcpSchema, value)]).toEqual([isGood, isGood]);
  });
});

describe('turnwire schema', () => {
  test.each([
    ['mcp', mcpSchema],
    ['config', configSchema()],
    ['permissions', rulesSchema],
  ])('turnwire schema prints the schema of %s', async (name, schema) => {
    const { code, stdout, stderr } = await turnwire(['schema', name]);
    expect({ code, schema: JSON.parse(stdout) as unknown, stderr }).toEqual({ code: 0, schema, stderr: '' });
  });

  test('turnwire schema coder prints the schema that the reader of the built-in agent uses', async () => {
    const schema = JSON.parse((await turnwire(['schema', 'coder'])).stdout) as object;
    const project = JSON.parse((await turnwire(['schema', 'coder-project'])).stdout) as object;
    const user = { $schema: 'x', model: 'offline', hooks: { before: [{ command: 'lint', tools: ['edit'] }] } };
    const limits = { limits: { maxSteps: 5 } };
    expect([fits(schema, user), fits(schema, limits), fits(project, limits), fits(project, user)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([fits(schema, { modle: 'x' }), fits(schema, { limits: { maxSteps: 0 } })]).toEqual([false, false]);
  });
});
