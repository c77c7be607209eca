import type { RequestError } from '@turnwire/sdk-compat';
import { describe, expect, test } from 'vitest';
import { bothPackages, bothPackagesV2, connectedStreams, scriptedEnd } from './both-packages.ts';

function described(error: unknown) {
  const { name, code, message, data } = error as RequestError;
  return { name, code, message, data };
}

describe.each(bothPackages)('a program on %s', (_name, sdk) => {
  test('runs a turn with apps, over bytes', async () => {
    const { agent, client } = connectedStreams(sdk);
    const calls: unknown[] = [];
    sdk
      .agent({ name: 'echo' })
      .onRequest('initialize', () => ({ protocolVersion: sdk.PROTOCOL_VERSION, agentCapabilities: {} }))
      .onRequest('session/new', ({ params }) => {
        calls.push(params);
        return { sessionId: 'first' };
      })
      .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client: peer }) => {
        const answer = await peer.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 'call' },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        });
        calls.push(answer);
        for (const content of prompt)
          await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
        return { stopReason: 'end_turn' };
      })
      .connect(agent);
    const text = await sdk
      .client({ name: 'client' })
      .onRequest('session/request_permission', ({ params: { options } }) => ({
        outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' },
      }))
      .connectWith(client, async (peer) => {
        await peer.request('initialize', { protocolVersion: sdk.PROTOCOL_VERSION });
        return peer.buildSession('/work').withSession(async (session) => {
          void session.prompt('Hello');
          return session.readText();
        });
      });
    expect([text, calls]).toEqual([
      'Hello',
      [{ cwd: '/work', mcpServers: [] }, { outcome: { outcome: 'selected', optionId: 'yes' } }],
    ]);
  });

  test('has written a message when the promise of its write resolves', async () => {
    const written: string[] = [];
    const output = new WritableStream<Uint8Array>({
      write: (chunk) => void written.push(new TextDecoder().decode(chunk)),
    });
    const { writable } = sdk.ndJsonStream(output, new ReadableStream<Uint8Array>());
    const writer = writable.getWriter();
    await writer.write({ jsonrpc: '2.0', method: 'first' });
    const afterFirst = written.join('');
    await writer.write({ jsonrpc: '2.0', method: 'second' });
    expect([afterFirst, written.join('')]).toEqual([
      '{"jsonrpc":"2.0","method":"first"}\n',
      '{"jsonrpc":"2.0","method":"first"}\n{"jsonrpc":"2.0","method":"second"}\n',
    ]);
  });

  test('connects two apps in one process, and answers errors of handlers', async () => {
    const agent = sdk.agent().onRequest('session/new', () => {
      throw new Error('no disk');
    });
    agent.onRequest('session/list', () => {
      throw sdk.RequestError.authRequired({ url: 'https://example.com' });
    });
    const errors = await sdk
      .client()
      .connectWith(agent, (peer) =>
        Promise.all(
          [
            peer.request('session/new', { cwd: '/', mcpServers: [] }),
            peer.request('session/list', {}),
            peer.request('_example/none', {}),
          ].map((answer) => answer.catch(described)),
        ),
      );
    expect(errors).toEqual([
      { name: 'RequestError', code: -32603, message: 'Internal error', data: { details: 'no disk' } },
      { name: 'RequestError', code: -32000, message: 'Authentication required', data: { url: 'https://example.com' } },
      {
        name: 'RequestError',
        code: -32601,
        message: '"Method not found": _example/none',
        data: { method: '_example/none' },
      },
    ]);
  });

  test('handles extensions with a parser, and all other messages with a fallback', async () => {
    const seen: unknown[] = [];
    const agent = sdk
      .agent()
      .onRequest('_example/count', { parse: (params) => params as { count: number } }, ({ params }) => params.count + 1)
      .onRequest('*', ({ method, params }) => ({ method, params }))
      .onNotification('*', ({ method, params }) => void seen.push(method, params));
    const answers = await sdk.client().connectWith(agent, async (peer) => {
      await peer.notify('_example/note', { text: 'hi' });
      return [await peer.request('_example/count', { count: 1 }), await peer.request('_example/other', { a: 1 })];
    });
    expect([answers, seen]).toEqual([
      [2, { method: '_example/other', params: { a: 1 } }],
      ['_example/note', { text: 'hi' }],
    ]);
  });

  test('wraps the streams of messages', async () => {
    const { agent, client } = connectedStreams(sdk);
    const seen: string[] = [];
    const tapped = {
      writable: client.writable,
      readable: client.readable.pipeThrough(
        new TransformStream({
          transform: (message, controller) => {
            seen.push('method' in message ? message.method : 'answer');
            controller.enqueue(message);
          },
        }),
      ),
    };
    sdk
      .agent()
      .onRequest('session/new', async ({ client: peer }) => {
        await peer.notify('session/update', {
          sessionId: 'first',
          update: { sessionUpdate: 'current_mode_update', currentModeId: 'ask' },
        });
        return { sessionId: 'first' };
      })
      .connect(agent);
    const connection = sdk.client().connect(tapped);
    const answer = await connection.agent.request('session/new', { cwd: '/', mcpServers: [] });
    connection.close();
    expect([answer, seen]).toEqual([{ sessionId: 'first' }, ['session/update', 'answer']]);
  });

  test('cancels a request, and stops waiting if it wants to', async () => {
    const agent = sdk.agent().onRequest(
      '_slow',
      (params) => params,
      async ({ signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        return { aborted: signal.aborted };
      },
    );
    const answers = await sdk.client().connectWith(agent, (peer) => {
      const ask = (stopWaitingOnCancel: boolean): Promise<unknown> => {
        const cancelling = new AbortController();
        const answer = peer.request('_slow', {}, { cancellationSignal: cancelling.signal, stopWaitingOnCancel });
        cancelling.abort();
        return answer.catch((error: unknown) => described(error).code);
      };
      return Promise.all([ask(false), ask(true)]);
    });
    expect(answers).toEqual([{ aborted: true }, -32800]);
  });

  test('rejects what is pending when the other side ends the connection', async () => {
    const end = scriptedEnd(sdk);
    const connection = sdk.client().connect(end.stream);
    const answer = connection.agent.request('session/list', {}).catch((error: unknown) => described(error).message);
    await end.writes(1);
    await end.end();
    await connection.closed;
    expect([await answer, connection.signal.aborted]).toEqual(['ACP connection closed', true]);
  });

  test('refuses registrations that it cannot call', () => {
    const messages = [
      () => sdk.agent().onRequest('_example/none' as never, (() => ({})) as never),
      () => sdk.client().onNotification('session/new' as never, (() => undefined) as never),
      () =>
        sdk
          .agent()
          .onRequest('*', () => ({}))
          .onRequest('*', () => ({})),
    ].map((register) => {
      try {
        register();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(messages).toEqual([
      "Unknown ACP request method '_example/none'. Pass a params parser for custom methods.",
      "Unknown ACP notification method 'session/new'. Pass a params parser for custom methods.",
      'A request fallback is already registered.',
    ]);
  });
});

describe.each(bothPackagesV2)('a program of version 2 on %s', (_name, sdk) => {
  test('runs a turn, over bytes', async () => {
    const { agent, client } = connectedStreams(sdk);
    sdk
      .agent()
      .onRequest('initialize', () => ({ protocolVersion: 2, info: { name: 'echo', version: '1.0.0' } }))
      .onRequest('session/new', () => ({ sessionId: 'first' }))
      .onRequest('session/prompt', ({ params: { sessionId, prompt }, client: peer }) => {
        void (async () => {
          for (const content of prompt)
            await peer.notify('session/update', {
              sessionId,
              update: { sessionUpdate: 'agent_message_chunk', messageId: 'answer', content },
            });
          await peer.notify('session/update', {
            sessionId,
            update: { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' },
          });
        })();
        return { messageId: 'question' };
      })
      .connect(agent);
    const text = await sdk.client().connectWith(client, async (peer) => {
      await peer.request('initialize', { protocolVersion: 2, info: { name: 'client', version: '1.0.0' } });
      const { response } = await peer.initialized;
      return peer.buildSession('/work').withSession(async (session) => {
        await session.prompt('Hello');
        return [response.info.name, await session.readTextUntilIdle()];
      });
    });
    expect(text).toEqual(['echo', 'Hello']);
  });

  const info = { name: 'x', version: '1.0.0' };

  test('sends nothing before initialize, and waits for its answer', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const started: string[] = [];
    const agent = sdk
      .agent()
      .onRequest('initialize', async () => {
        started.push('initialize');
        await answered;
        return { protocolVersion: 2, info };
      })
      .onRequest('session/new', () => {
        started.push('session/new');
        return { sessionId: 'first' };
      });
    const seen = await sdk.client().connectWith(agent, async (peer) => {
      const early = await peer.request('session/new', { cwd: '/' }).then(() => undefined, described);
      const initialized = peer.request('initialize', { protocolVersion: 2, info });
      const queued = peer.request('session/new', { cwd: '/' });
      answer();
      await initialized;
      const order = [early?.code, (await queued).sessionId, started];
      return [...order, describedThrow(() => peer.request('initialize', { protocolVersion: 2, info })).code];
    });
    expect(seen).toEqual([-32600, 'first', ['initialize', 'session/new'], -32600]);
  });

  test('passes the answer to initialize to functions for new connections', async () => {
    const introduced: unknown[] = [];
    const agent = sdk.agent().onRequest('initialize', () => ({ protocolVersion: 2, info }));
    const client = sdk.client().onConnect(async (connection) => {
      introduced.push((await connection.initialized).response.info.name);
    });
    await client.connectWith(agent, async (peer) => {
      await peer.request('initialize', { protocolVersion: 2, info });
      await peer.initialized;
    });
    expect(introduced).toEqual(['x']);
  });

  test('prepares a session that later changes of the arguments do not reach', async () => {
    const server = { type: 'stdio' as const, name: 'a', command: '/a', args: ['--first'], env: [] };
    const agent = sdk.agent().onRequest('initialize', () => ({ protocolVersion: 2, info }));
    const servers = await sdk.client().connectWith(agent, (peer) => {
      const builder = peer.buildSession({ cwd: '/', mcpServers: [server] }).withMcpServer(server);
      server.args[0] = '--changed';
      return builder.toRequest().mcpServers;
    });
    expect(servers).toEqual([
      { ...server, args: ['--first'] },
      { ...server, args: ['--first'] },
    ]);
  });

  test('refuses to connect an agent that does not handle initialize', () => {
    const { agent } = connectedStreams(sdk);
    expect(() => sdk.agent().connect(agent)).toThrow('requires an initialize request handler');
  });

  test('closes a routed connection whose agent cannot be connected', async () => {
    const end = scriptedEnd(sdk);
    const broken = {
      connect: () => {
        throw new Error('no agent');
      },
    };
    const { closed } = sdk.agentProtocolRouter().withV2(broken).connect(end.stream);
    await end.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 2, info } });
    expect(await closed).toBeUndefined();
  });
});

function describedThrow(run: () => unknown): ReturnType<typeof described> {
  try {
    run();
    throw new Error('nothing was thrown');
  } catch (error) {
    return described(error);
  }
}
