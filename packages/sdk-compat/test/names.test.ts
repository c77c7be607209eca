import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const entries = ['', '/unstable', '/experimental/v2', '/experimental/v2/unstable'];
const remoteEntries = ['http-client', 'ws-client', 'server', 'node'].map((name) => `/experimental/${name}`);
/** The class API, which the official package has up to version 1.9. */
const classes = ['AgentSideConnection', 'ClientSideConnection'];

test.each([...entries, ...remoteEntries])('the entry %s exports the values of the official package', async (entry) => {
  const [official, ours] = await Promise.all([
    import(`@agentclientprotocol/sdk${entry}`) as Promise<Record<string, unknown>>,
    import(`@turnwire/sdk-compat${entry}`) as Promise<Record<string, unknown>>,
  ]);
  expect(new Set(Object.keys(ours).filter((name) => !classes.includes(name)))).toEqual(new Set(Object.keys(official)));
  const constants = Object.keys(official).filter((name) => /^[A-Z_]+$/.test(name) || name === 'methods');
  const only = (values: Record<string, unknown>) => constants.map((name) => [name, values[name]]);
  expect(only(ours)).toEqual(only(official));
});

test('the compiler accepts every type of the official package for that of this one, and the other way round', () => {
  const folder = join(here, 'generated-types');
  mkdirSync(folder, { recursive: true });
  try {
    const files = ['', '/unstable'].map((entry, index) => {
      const path = createRequire(import.meta.url).resolve(
        `@agentclientprotocol/sdk/schema/v1/schema${entry.replace('/', '.')}.json`,
      );
      const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as { $defs: object };
      const pairs = Object.keys($defs).map(
        (name) =>
          `export const a${name} = (value: O.${name}): T.${name} => value, b${name} = (value: T.${name}): O.${name} => value;`,
      );
      const imports = `import type * as O from '@agentclientprotocol/sdk${entry}';\nimport type * as T from '@turnwire/sdk-compat${entry}';\n`;
      const file = join(folder, `types-${index}.ts`);
      writeFileSync(file, imports + pairs.join('\n'));
      return file;
    });
    const remote = join(folder, 'remote.ts');
    writeFileSync(remote, remoteProgramOf(['@agentclientprotocol/sdk', '@turnwire/sdk-compat']));
    const program = join(folder, 'program.ts');
    writeFileSync(program, programOf(['@agentclientprotocol/sdk', '@turnwire/sdk-compat']));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      customConditions: ['@turnwire/source'],
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: [...files, program, remote] }),
    );
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The same server and clients, once for each package. */
function remoteProgramOf(packages: readonly string[]): string {
  const imports = packages.map(
    (name, index) => `
import { agent as agent${index} } from '${name}';
import * as http${index} from '${name}/experimental/http-client';
import * as socket${index} from '${name}/experimental/ws-client';
import * as server${index} from '${name}/experimental/server';
import * as node${index} from '${name}/experimental/node';`,
  );
  const bodies = packages.map(
    (_, index) => `
export function remote${index}(options: http${index}.HttpStreamOptions, sockets: socket${index}.WebSocketStreamOptions): unknown[] {
  const limits: server${index}.ConnectionLimits = { maxBufferedBytes: 1, maxOutputStallMs: 1, maxBufferedSessionStreams: 1, maxIdLength: 1 };
  const all: server${index}.AcpServerOptions = { createAgent: () => agent${index}(), ...limits };
  const server = new server${index}.AcpServer(all);
  const cookies: http${index}.AcpCookieStore = new http${index}.MemoryAcpCookieStore();
  const upgrade: server${index}.PreparedWebSocketUpgrade = server.prepareWebSocketUpgrade({ agent: agent${index}() });
  const answer: Promise<Response> = server.handleRequest(new Request('http://localhost'), { createAgent: () => agent${index}() });
  return [
    answer,
    upgrade.connectionId,
    http${index}.createHttpStream('http://localhost', { ...options, cookieStore: cookies, fetch, headers: { a: 'b' }, cookies: 'omit' }).readable,
    socket${index}.createWebSocketStream('ws://localhost', { ...sockets, protocols: ['acp'] }).writable,
    node${index}.createNodeHttpHandler(server, { maxRequestBodyBytes: node${index}.DEFAULT_MAX_REQUEST_BODY_BYTES }),
    (wss: node${index}.NodeWebSocketUpgradeServer) => node${index}.createNodeWebSocketUpgradeHandler(server, wss),
  ];
}`,
  );
  return [...imports, ...bodies].join('\n');
}

/** The same lines of a program, once for each package. */
function programOf(packages: readonly string[]): string {
  const imports = packages.map((name, index) => `import * as sdk${index} from '${name}';`);
  const bodies = packages.map(
    (_, index) => `
export async function program${index}(stream: sdk${index}.Stream): Promise<string> {
  const blocks: sdk${index}.ContentBlock[] = [{ type: 'text', text: 'Hi' }];
  const kind = (update: sdk${index}.SessionUpdate): string => {
    switch (update.sessionUpdate) {
      case 'tool_call': return update.title;
      case 'agent_message_chunk': return update.content.type === 'text' ? update.content.text : '';
      default: return update.sessionUpdate;
    }
  };
  const app = sdk${index}.client({ name: 'x' })
    .onNotification(sdk${index}.methods.client.session.update, ({ params, agent }) => { kind(params.update); void agent.requestId; })
    .onRequest(sdk${index}.methods.client.session.requestPermission, ({ params: { options } }) => ({
      outcome: options[0] ? { outcome: 'selected', optionId: options[0].optionId } : { outcome: 'cancelled' },
    }))
    .onRequest('_x', (params) => params as { a: number }, ({ params }) => ({ b: params.a }));
  const handle: sdk${index}.ClientConnection = app.connect(stream);
  const context: sdk${index}.ClientContext = handle.agent;
  const { stopReason } = await context.request('session/prompt', { sessionId: 's', prompt: blocks });
  const custom = await context.request<{ ok: boolean }>('_vendor', { a: 1 });
  const handler: sdk${index}.AgentRequestHandlersByMethod['session/new'] = ({ params }) => ({ sessionId: params.cwd });
  sdk${index}.agent().onRequest('session/new', handler).onRequest('session/load', () => undefined);
  try { await handle.closed; } catch (error) { if (error instanceof sdk${index}.RequestError) return error.message; }
  return stopReason + custom.ok;
}`,
  );
  return [...imports, ...bodies].join('\n');
}
