import type { HostContext, HostTerminals } from '@turnwire/client';
import { connectAgent, connectClient, type Handlers, protocolVersion } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import type { HostedClient } from '../src/session/hosted-client.ts';
import { type HostRoutes, routedHost } from '../src/session/routed-host.ts';

const context: HostContext = { roots: ['/project'], signal: new AbortController().signal };
const terminal = { sessionId: 'inner', terminalId: 'client-1' };

/** A client with a terminal, whose command never ends by itself. */
async function clientWithTerminal(): Promise<{
  readonly client: HostedClient;
  readonly asked: unknown[];
  leave: () => void;
}> {
  const asked: unknown[] = [];
  const handlers: Handlers<'client'> = {
    'fs/read_text_file': (request) => ({ content: `${request.path}, not saved` }),
    'terminal/create': () => ({ terminalId: 'its own' }),
    'terminal/output': (request) => {
      asked.push(request);
      return { output: 'half of it', truncated: false };
    },
    'terminal/wait_for_exit': () => new Promise(() => undefined),
  };
  const [near, far] = memoryPair();
  const clientCapabilities = { fs: { readTextFile: true }, terminal: true };
  const peer = connectAgent(near, { initialize: () => ({ protocolVersion, agentCapabilities: {} }) });
  await connectClient(far, handlers).request('initialize', { protocolVersion, clientCapabilities });
  const client = { capabilities: clientCapabilities, peer } as HostedClient;
  return { client, asked, leave: () => far.destroy() };
}

const ownTerminals: HostTerminals = {
  create: () => ({ terminalId: 'of this machine' }),
  output: () => ({ output: 'of this machine', truncated: false }),
  waitForExit: () => ({ exitCode: 0 }),
  kill: () => ({}),
  release: () => ({}),
  watch: () => () => undefined,
  releaseAll: () => Promise.resolve(),
};

function routed(routes: HostRoutes): {
  readonly files: NonNullable<ReturnType<typeof routedHost>['files']>;
  readonly terminals: HostTerminals;
} {
  const files = { readTextFile: () => ({ content: 'as it is stored' }) };
  const { files: itsFiles, terminals } = routedHost({ files, terminals: ownTerminals }, routes);
  return { files: itsFiles!, terminals: terminals! };
}

test('files are read where the client in control has them, and here when it is gone', async () => {
  const { client } = await clientWithTerminal();
  const routes: { sessionId: string; controller: HostedClient | undefined } = {
    sessionId: 'outer',
    controller: client,
  };
  const { files } = routed(routes);
  const request = { sessionId: 'inner', path: '/project/a.txt' };
  const there = await files.readTextFile?.(request, context);
  routes.controller = undefined;
  const here = await files.readTextFile?.(request, context);
  expect([there, here]).toEqual([{ content: '/project/a.txt, not saved' }, { content: 'as it is stored' }]);
});

test('a terminal stays with the client that made it, whoever is in control later', async () => {
  const { client, asked } = await clientWithTerminal();
  const routes: { sessionId: string; controller: HostedClient | undefined } = {
    sessionId: 'outer',
    controller: client,
  };
  const { terminals } = routed(routes);
  const made = await terminals.create({ sessionId: 'inner', command: 'make' }, context);
  routes.controller = undefined;
  const output = await terminals.output(terminal, context);
  const later = await terminals.create({ sessionId: 'inner', command: 'make' }, context);
  expect({ made, output, asked, later }).toEqual({
    made: { terminalId: 'client-1' },
    output: { output: 'half of it', truncated: false },
    asked: [{ sessionId: 'outer', terminalId: 'its own' }],
    later: { terminalId: 'of this machine' },
  });
});

test('who waits for a terminal is answered when its client leaves, and so is who asks afterwards', async () => {
  const { client, leave } = await clientWithTerminal();
  const { terminals } = routed({ sessionId: 'outer', controller: client });
  await terminals.create({ sessionId: 'inner', command: 'make' }, context);
  const waited = Promise.resolve(terminals.waitForExit(terminal, context)).catch((error: unknown) => error);
  leave();
  const asked = await Promise.resolve(terminals.output(terminal, context)).catch((error: unknown) => error);
  const gone = expect.objectContaining({
    code: -32_002,
    message: 'The client of the terminal client-1 is gone',
  }) as unknown;
  expect([await waited, asked]).toEqual([gone, gone]);
});
