import type { HostContext, HostTerminals } from '@turnwire/client';
import { TurnwireError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { routedHost } from '../src/session/routed-host.ts';
import type { Subscriber } from '../src/session/subscriber.ts';

const context: HostContext = { roots: ['/project'], signal: new AbortController().signal };
const terminal = { sessionId: 'inner', terminalId: 'client-1' };

/** A client with a terminal, whose command never ends by itself. */
function clientWithTerminal(): { readonly client: Subscriber; readonly asked: unknown[]; leave: () => void } {
  const asked: unknown[] = [];
  const gone = rejectable();
  const isGone = { is: false };
  const client: Subscriber = {
    author: { connection: '1', client: 'editor' },
    role: 'control',
    isOwner: true,
    readsEvents: false,
    receive: () => undefined,
    files: { readTextFile: ({ path }) => ({ content: `${path}, not saved` }) },
    terminals: {
      create: () => ({ terminalId: 'its own' }),
      output: (request) => {
        if (isGone.is) throw new TurnwireError('connection-closed', 'gone');
        asked.push(request);
        return { output: 'half of it', truncated: false };
      },
      waitForExit: () => gone.promise,
      kill: () => ({}),
      release: () => ({}),
    },
  };
  const leave = (): void => {
    isGone.is = true;
    gone.reject(new TurnwireError('connection-closed', 'gone'));
  };
  return { client, asked, leave };
}

/** A promise, and how to reject it. */
function rejectable(): { readonly promise: Promise<never>; readonly reject: (error: unknown) => void } {
  let reject = (_error: unknown): void => undefined;
  const promise = new Promise<never>((_, rejecting) => (reject = rejecting));
  return { promise, reject };
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

function routed(controller: () => Subscriber | undefined): {
  readonly files: NonNullable<ReturnType<typeof routedHost>['files']>;
  readonly terminals: HostTerminals;
} {
  const files = { readTextFile: () => ({ content: 'as it is stored' }) };
  const { files: itsFiles, terminals } = routedHost({ files, terminals: ownTerminals }, controller);
  return { files: itsFiles!, terminals: terminals! };
}

test('files are read from the client in control, and from this machine when it is gone', async () => {
  const { client } = clientWithTerminal();
  let controller: Subscriber | undefined = client;
  const { files } = routed(() => controller);
  const request = { sessionId: 'inner', path: '/project/a.txt' };
  const there = await files.readTextFile?.(request, context);
  controller = undefined;
  const here = await files.readTextFile?.(request, context);
  expect([there, here]).toEqual([{ content: '/project/a.txt, not saved' }, { content: 'as it is stored' }]);
});

test('a terminal stays with the client that made it when another client takes control', async () => {
  const { client, asked } = clientWithTerminal();
  let controller: Subscriber | undefined = client;
  const { terminals } = routed(() => controller);
  const made = await terminals.create({ sessionId: 'inner', command: 'make' }, context);
  controller = undefined;
  const output = await terminals.output(terminal, context);
  const later = await terminals.create({ sessionId: 'inner', command: 'make' }, context);
  expect({ made, output, asked, later }).toEqual({
    made: { terminalId: 'client-1' },
    output: { output: 'half of it', truncated: false },
    asked: [{ sessionId: 'inner', terminalId: 'its own' }],
    later: { terminalId: 'of this machine' },
  });
});

test('when the client of a terminal leaves, waiting and later requests get an error', async () => {
  const { client, leave } = clientWithTerminal();
  const { terminals } = routed(() => client);
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
