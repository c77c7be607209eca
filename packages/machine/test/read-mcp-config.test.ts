import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { McpConfigError, type McpConfigOptions, readMcpConfig } from '../src/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-mcp-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

function problem(source: string | object, options?: McpConfigOptions): Promise<unknown> {
  return readMcpConfig(source, options).then(
    (servers) => servers,
    (error: unknown) => (error instanceof McpConfigError ? [error.code, error.message.replaceAll(folder, '…')] : error),
  );
}

test('the format of .mcp.json is read, including comments', async () => {
  const path = await written(
    '.mcp.json',
    `\uFEFF{
      // servers
      "mcpServers": {
        "files": { "command": "/bin/files", "args": ["-v", "\${ROOT:-/srv}"], "env": { "TOKEN": "\${TOKEN}" } },
        "near": { "type": "stdio", "command": "./run.sh" },
        "far": { "type": "http", "url": "https://\${HOST}/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" } },
        "old": { "type": "sse", "url": "http://localhost:1" },
        "bare": { "url": "https://a.example" },
        "new": { "type": "streamable-http", "url": "https://b.example" },
        "off": { "command": 7, "disabled": true },
        "off too": { "command": 7, "enabled": false },
      },
    }`,
  );
  expect(await readMcpConfig(path, { environment: { TOKEN: '$&${x}', HOST: 'h.example' } })).toEqual([
    { name: 'files', command: '/bin/files', args: ['-v', '/srv'], env: [{ name: 'TOKEN', value: '$&${x}' }] },
    { name: 'near', command: join(folder, 'run.sh'), args: [], env: [] },
    {
      type: 'http',
      name: 'far',
      url: 'https://h.example/mcp',
      headers: [{ name: 'Authorization', value: 'Bearer $&${x}' }],
    },
    { type: 'sse', name: 'old', url: 'http://localhost:1', headers: [] },
    { type: 'http', name: 'bare', url: 'https://a.example', headers: [] },
    { type: 'http', name: 'new', url: 'https://b.example', headers: [] },
  ]);
});

test.skipIf(process.platform === 'win32')(
  'a server starts in its cwd, and variables of its env override those of its envFile',
  async () => {
    const script = 'pwd; echo "$1 $A $B"';
    await writeFile(join(folder, 'server.env'), 'A=from the file\nB="of the file" # a comment\n');
    await mkdir(join(folder, "it's here"));
    const path = await written(
      'placed.json',
      JSON.stringify({
        mcpServers: {
          one: {
            command: '/bin/sh',
            args: ['-c', script, 'x', 'y z'],
            cwd: "it's here",
            envFile: 'server.env',
            env: { A: 'own' },
          },
        },
      }),
    );
    const [server] = await readMcpConfig(path);
    if (!server || !('command' in server)) throw new Error('it is no program');
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    const { stdout } = spawnSync(server.command, server.args, { env, encoding: 'utf8' });
    expect(stdout).toBe(`${join(folder, "it's here")}\ny z own of the file\n`);
  },
);

test('a missing envFile, and a relative cwd without a base, are reported', async () => {
  const servers = { a: { command: '/x', envFile: '/nowhere/.env' }, b: { command: '/x', cwd: 'sub' } };
  expect(await problem({ mcpServers: servers })).toEqual([
    'invalid-input',
    `The MCP configuration:
- server a: envFile: there is no such file, or it cannot be read
- server b: cwd: it is relative, and no base folder was given.`,
  ]);
});

test('lists of servers as in ACP are read, and the format of VS Code', async () => {
  const stdio = { name: 's', command: '/s', args: ['a'], env: [{ name: 'A', value: '1' }] };
  const http = { type: 'http', name: 'h', url: 'https://h.example', headers: [{ name: 'X', value: '' }] };
  const vsCode = { inputs: [], servers: { s: { command: '/s', args: ['${workspaceFolder}/a'] } } };
  expect([
    await readMcpConfig({ mcpServers: [stdio, http] }),
    await readMcpConfig([stdio, http]),
    await readMcpConfig(vsCode, { cwd: '/w' }),
    await readMcpConfig({ mcpServers: {} }),
  ]).toEqual([[stdio, http], [stdio, http], [{ name: 's', command: '/s', args: ['/w/a'], env: [] }], []]);
});

test('variables take their default when they are empty or not set', async () => {
  const args = ['${A}', '${A:-d}', '${B:-}', '${B:-x y}z', '$B ${} ${1}', '${C}${C:-d}'];
  const config = { mcpServers: { s: { command: '/s', args } } };
  expect(await readMcpConfig(config, { environment: { A: '', C: 'c', B: undefined } })).toEqual([
    { name: 's', command: '/s', args: ['', 'd', '', 'x yz', '$B ${} ${1}', 'cc'], env: [] },
  ]);
});

test.skipIf(process.platform === 'win32')('a command becomes the absolute path of its program', async () => {
  await mkdir(join(folder, 'bin/folder'), { recursive: true });
  await written('bin/plain', '');
  await chmod(await written('bin/tool', ''), 0o755);
  const PATH = ['', '.', join(folder, 'none'), join(folder, 'bin')].join(delimiter);
  const commands = ['tool', 'plain', 'folder', 'unknown'];
  const config = commands.map((command) => ({ name: command, command }));
  const found = async (environment: Record<string, string>): Promise<unknown> =>
    (await readMcpConfig(config, { environment })).map((server) => 'command' in server && server.command);
  expect([await found({ PATH }), await found({})]).toEqual([
    [join(folder, 'bin/tool'), ...commands.slice(1)],
    commands,
  ]);
});

test('all problems are reported at once, by name and without a value', async () => {
  const config = {
    mcpServers: {
      a: { command: '/a', env: { TOKEN: '${NONE}', OTHER: 'SECRET' } },
      b: { command: '/b', env: { PORT: 1234, OTHER: 'SECRET' } },
      c: { url: 'SECRET' },
      d: { type: 'http', url: 'https://d.example', headers: { Authorization: 'SECRET\nX: y' } },
      e: { type: 'websocket', url: 'https://SECRET.example' },
      f: {},
      g: { command: '/g', url: 'https://g.example' },
      h: 'SECRET',
      i: { command: '/i', args: 'SECRET' },
      j: { command: '/j', env: [{ name: 'A' }, { value: 'SECRET' }] },
      k: { command: ' ' },
      l: { command: './l' },
      m: { command: '/m', args: ['${input:key}'] },
      n: { command: '/n', env: { A: 'SECRET\0' } },
      o: { type: 'sse' },
    },
  };
  expect(await problem(config, { environment: { SECRET: 'SECRET' } })).toEqual([
    'invalid-input',
    `The MCP configuration:
- server a: env.TOKEN: the variable NONE is not set. Set it, or add a default: \${NONE:-…}.
- server b: env.PORT: expected a text in quotes, found a number
- server c: url: expected an http or https address
- server d: headers.Authorization: it cannot be sent as an HTTP header
- server e: type: expected stdio, http or sse
- server f: expected a command or a url
- server g: type: is required, since there are both a command and a url
- server h: expected an object, found a string
- server i: args: expected a list, found a string
- server j: env[0].value: it is missing
- server k: command: it is empty
- server l: command: it is relative, and no base folder was given
- server m: args[0]: refers to the input key, which only an editor can ask for. Use an environment variable instead.
- server n: env.A: it contains a NUL character
- server o: url: it is missing.`,
  ]);
});

test('an invalid configuration is reported with the position of the error', async () => {
  const broken = await written(
    'broken.json',
    '{\n  "mcpServers": {\n    "a": { "env": { "T": "SECRET" "U": 1 } } }\n}',
  );
  expect([
    await problem(join(folder, 'none.json')),
    await problem(folder),
    await problem(broken),
    await problem(await written('empty.json', '')),
    await problem(await written('other.json', '{"mcp": "SECRET"}')),
    await problem({ mcpServers: 'SECRET' }),
    await problem({ mcpServers: null }),
    await problem([{ command: '/a' }]),
    await problem([
      { name: 'a', command: '/a' },
      { name: 'a', command: '/b' },
    ]),
  ]).toEqual(
    [
      '…/none.json: cannot be read: there is no such file.',
      '…: cannot be read: the system reports EISDIR.',
      '…/broken.json: not JSON from line 3, column 35 on.',
      '…/empty.json: not JSON from line 1, column 1 on.',
      '…/other.json: expected {"mcpServers": …} or {"servers": …}.',
      'The MCP configuration: mcpServers: expected an object or a list, found a string.',
      'The MCP configuration: expected {"mcpServers": …} or {"servers": …}.',
      'The MCP configuration: mcpServers[0]: expected an object with a name.',
      'The MCP configuration: server a: another server has the same name.',
    ].map((message) => ['invalid-input', message]),
  );
});
