import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { serveAgent } from '../../src/node/index.ts';

/* Clients that write the frames themselves ask an agent for a version, over each transport. */

type Versions = readonly (1 | 2)[];

/** Sends frames, and returns as many answers. */
type Exchange = (versions: Versions, frames: readonly object[]) => Promise<readonly unknown[]>;

const info = { name: 'raw', version: '1.0.0' };
const agentInfo = { name: 'echo', version: '1.0.0' };
const definition = { info: agentInfo, prompt: () => undefined };
const source = bundleProgram(fileURLToPath(new URL('../../src/node/index.ts', import.meta.url)));
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-raw-'));
  const program = `import { serveAgent } from ${JSON.stringify(source)};
serveAgent({ info: ${JSON.stringify(agentInfo)}, prompt: () => undefined }, { versions: JSON.parse(process.argv[2]) });`;
  await writeFile(join(folder, 'agent.mjs'), program);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const exchanges: Readonly<Record<string, Exchange>> = {
  stdio: async (versions, frames) => {
    const child: ChildProcess = spawn(process.execPath, [join(folder, 'agent.mjs'), JSON.stringify(versions)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      child.stdin?.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
      const answers: unknown[] = [];
      for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
        answers.push(JSON.parse(line));
        if (answers.length === frames.length) break;
      }
      return answers;
    } finally {
      child.kill();
    }
  },
  WebSocket: async (versions, frames) => {
    await using agent = await serveAgent(definition, { listen: {}, versions, log: () => undefined });
    const socket = new WebSocket(agent.url, { headers: { authorization: `Bearer ${agent.token}` } });
    return await new Promise((resolve, reject) => {
      const answers: unknown[] = [];
      socket.on('open', () => {
        for (const frame of frames) socket.send(JSON.stringify(frame));
      });
      socket.on('message', (data: Buffer) => {
        if (answers.push(JSON.parse(data.toString())) < frames.length) return;
        socket.close();
        resolve(answers);
      });
      socket.on('error', reject);
    });
  },
  HTTP: async (versions, frames) => {
    await using agent = await serveAgent(definition, { listen: {}, versions, log: () => undefined });
    const answers: unknown[] = [];
    for (const frame of frames) {
      const answer = await fetch(agent.httpUrl, {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(frame),
      });
      answers.push(await answer.json());
    }
    return answers;
  },
};

const initialize = (id: number, params: object): object => ({ jsonrpc: '2.0', id, method: 'initialize', params });
const v1Shape = { clientInfo: info, clientCapabilities: {} };
const v2Shape = { info, capabilities: {} };

const ask1 = { protocolVersion: 1, ...v1Shape };
const ask2 = { protocolVersion: 2, ...v2Shape };
const ask3 = { protocolVersion: 3, ...v1Shape, ...v2Shape };

/** What the clients ask for: version 2 in its fields, and in those of both versions. */
const asked = [ask1, ask2, { ...v1Shape, ...ask2 }, ask3, { protocolVersion: 0, ...v1Shape }];

const result1 = {
  protocolVersion: 1,
  agentInfo,
  agentCapabilities: {
    loadSession: false,
    promptCapabilities: {},
    mcpCapabilities: {},
    sessionCapabilities: { close: {} },
    auth: {},
  },
  authMethods: [],
};
const result2 = { protocolVersion: 2, info: agentInfo, capabilities: { session: { prompt: {}, mcp: { stdio: {} } } } };
const refused = (requested: number, supported: Versions): object => ({
  code: -32022,
  message: `Unsupported protocol version ${requested}: this agent speaks ${supported.join(', ')}`,
  data: { requested, supported },
});

const expected: readonly (readonly [Versions, readonly object[]])[] = [
  [[1], [{ result: result1 }, { result: result1 }, { result: result1 }, { result: result1 }, { result: result1 }]],
  [
    [2],
    [
      { error: refused(1, [2]) },
      { result: result2 },
      { result: result2 },
      { result: result2 },
      { error: refused(0, [2]) },
    ],
  ],
  [
    [1, 2],
    [{ result: result1 }, { result: result2 }, { result: result2 }, { result: result2 }, { error: refused(0, [1, 2]) }],
  ],
];

const cases = expected.flatMap(([versions, answers]) =>
  Object.keys(exchanges).map((transport) => [versions, transport, answers] as const),
);

test.each(cases)(
  'an agent with versions %j over %s answers each version that a raw client asks for',
  async (versions, transport, answers) => {
    const received = [];
    for (const params of asked)
      received.push(...((await exchanges[transport]?.(versions, [initialize(0, params)])) ?? []));
    expect(received).toEqual(answers.map((answer) => ({ jsonrpc: '2.0', id: 0, ...answer })));
  },
  60_000,
);

// A server for WebSockets takes nothing before `initialize`.
test('over stdio a refused version may be asked for again, a request before initialize is refused, and the repeat keeps the version', async () => {
  const frames = [
    { jsonrpc: '2.0', id: 0, method: 'session/new', params: { cwd: '/' } },
    initialize(1, ask1),
    initialize(2, ask2),
    initialize(3, ask3),
    initialize(4, ask1),
    { jsonrpc: '2.0', id: 5, method: 'session/list', params: {} },
    initialize(6, ask2),
  ];
  const answers = (await exchanges['stdio']?.([2], frames)) as readonly { readonly id: number }[];
  const error = (code: number, message: string): object => ({ error: { code, message } });
  expect(answers.toSorted((one, other) => one.id - other.id)).toEqual(
    [
      error(-32600, 'Invalid request: session/new came before initialize was answered'),
      { error: refused(1, [2]) },
      { result: result2 },
      { result: result2 },
      error(-32600, 'Invalid request: initialize may be repeated only with version 2 or newer'),
      { result: { sessions: [] } },
      error(-32600, 'Invalid request: initialize comes first, and only once'),
    ].map((answer, id) => ({ jsonrpc: '2.0', id, ...answer })),
  );
}, 60_000);
