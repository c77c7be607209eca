import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { turnwire } from './command.ts';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'turnwire-compat-'));
  await mkdir(join(project, 'src'));
  await mkdir(join(project, 'node_modules'));
  await writeFile(
    join(project, 'node_modules', 'ignored.js'),
    "import '@agentclientprotocol/sdk/experimental/server';",
  );
});
afterEach(() => rm(project, { recursive: true }));

test('a project that uses covered names needs one line of package.json', async () => {
  await writeFile(join(project, 'package.json'), '{"dependencies": {"@agentclientprotocol/sdk": "^0.26.0"}}');
  await writeFile(
    join(project, 'src', 'agent.ts'),
    "import type { Agent } from '@agentclientprotocol/sdk';\nimport {\n  AgentSideConnection,\n  type Client as C,\n} from '@agentclientprotocol/sdk';\n",
  );
  const { code, stdout } = await turnwire(['compat', project]);
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      '✓ src/agent.ts:1 . Agent',
      '✓ src/agent.ts:2 . AgentSideConnection, Client',
      '',
      'Nothing has to change but one line of package.json:',
      expect.stringMatching(
        /^ {2}"@agentclientprotocol\/sdk": "file:\.\.\/turnwire\/packed\/turnwire-sdk-compat-\d+\.\d+\.\d+\.tgz" instead of "\^0\.26\.0"$/,
      ),
      '',
      'Our own names, for new code:',
      '  AgentSideConnection: serveAgent of @turnwire/agent/node, or connectAgent of @turnwire/protocol',
      '',
    ],
  ]);
});

test('entries and names that the alias does not have are named with a replacement', async () => {
  await writeFile(
    join(project, 'src', 'server.mjs'),
    "import { validate } from '@agentclientprotocol/sdk/experimental/nes';\nconst core = await import('@agentclientprotocol/sdk/dist/jsonrpc.js');\n",
  );
  const { code, stdout } = await turnwire(['--format', 'json', 'compat', project]);
  const { imports } = JSON.parse(stdout) as { readonly imports: unknown };
  expect([code, imports]).toEqual([
    1,
    [
      {
        file: 'src/server.mjs',
        line: 1,
        entry: './experimental/nes',
        names: ['validate'],
        problem: 'handle the methods nes/… and document/… with onRequest, onNotification and a parser',
      },
      {
        file: 'src/server.mjs',
        line: 2,
        entry: './dist/jsonrpc.js',
        names: [],
        problem: 'it is not an entry of the package: import the name from "."',
      },
    ],
  ]);
});

test('names are found behind a whole module, a destructured one, and in types', async () => {
  await writeFile(
    join(project, 'src', 'client.ts'),
    `import * as acp from '@agentclientprotocol/sdk/unstable';
const { AcpServer, createNodeHttpHandler: handler } = require('@agentclientprotocol/sdk/experimental/server');
const sdk = __toESM(require('@agentclientprotocol/sdk'));
export type Block = import('@agentclientprotocol/sdk').ContentBlock;
new acp.McpOverAcpProvider();
sdk.client();
other.acp.ignored;
`,
  );
  const { code, stdout } = await turnwire(['--format', 'json', 'compat', project]);
  const { imports } = JSON.parse(stdout) as {
    readonly imports: readonly { line: number; names: unknown; problem?: string }[];
  };
  expect([code, imports.map(({ line, names, problem }) => [line, names, problem])]).toEqual([
    1,
    [
      [1, ['McpOverAcpProvider'], 'McpOverAcpProvider: keep the official package'],
      [2, ['AcpServer', 'createNodeHttpHandler'], undefined],
      [3, ['client'], undefined],
      [4, ['ContentBlock'], undefined],
    ],
  ]);
});

test('an installed program, which has only build output, is searched there', async () => {
  await mkdir(join(project, 'dist'));
  await writeFile(join(project, 'dist', 'cli.js'), "import { client } from '@agentclientprotocol/sdk';\n");
  const { stdout } = await turnwire(['--format', 'json', 'compat', project]);
  expect((JSON.parse(stdout) as { readonly imports: unknown }).imports).toEqual([
    { file: 'dist/cli.js', line: 1, entry: '.', names: ['client'] },
  ]);
});

test.each([
  ['a dependency', { dependencies: { '@agentclientprotocol/sdk': 'file:../packed/turnwire-sdk-compat-0.1.0.tgz' } }],
  ['an override', { overrides: { '@agentclientprotocol/sdk': { '.': 'npm:@turnwire/sdk-compat@0.1.0' } } }],
  ['a resolution of Yarn', { resolutions: { '@agentclientprotocol/sdk': 'npm:@turnwire/sdk-compat@0.1.0' } }],
  ['an override of pnpm', { pnpm: { overrides: { '@agentclientprotocol/sdk': 'npm:@turnwire/sdk-compat@0.1.0' } } }],
])('a project that already replaces the SDK with %s is not told to change a line', async (_, manifest) => {
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    join(project, 'src', 'agent.js'),
    "import { fromMcpServer } from '@agentclientprotocol/sdk/experimental/mcp-server';\n",
  );
  const { code, stdout } = await turnwire(['compat', project]);
  expect([code, stdout.split('\n')]).toEqual([
    1,
    [
      '✗ src/agent.js:1 ./experimental/mcp-server fromMcpServer — keep the official package',
      '',
      expect.stringMatching(/^package\.json already replaces the SDK with ".*turnwire.*"\.$/),
      'Imports that fail with it: 1',
      '',
    ],
  ]);
});
