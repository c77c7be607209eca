import {
  connectAgent,
  connectClient,
  type ExtensionMethod,
  type Handlers,
  type NotificationMethod,
  type Params,
  type Peer,
  type RequestId,
  type RequestMethod,
  type Result,
} from '@turnwire/protocol';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { chunk, macrotask, note, readyAgent, readyClient, TestWire } from './test-wire.ts';

type Update = Params<'session/update'>['update'];

/** Only type-checked: what is in here is never run. */
function compiledOnly(_: () => unknown): void {
  // The compiler is the test.
}

describe('the messages that a side can send', () => {
  test('a client can call exactly the methods that an agent handles', () => {
    expectTypeOf<RequestMethod<'agent'>>().toEqualTypeOf<
      | 'initialize'
      | 'authenticate'
      | 'logout'
      | 'session/new'
      | 'session/load'
      | 'session/list'
      | 'session/delete'
      | 'session/resume'
      | 'session/close'
      | 'session/set_mode'
      | 'session/set_config_option'
      | 'session/prompt'
    >();
    expectTypeOf<NotificationMethod<'agent'>>().toEqualTypeOf<'session/cancel'>();
    expectTypeOf<NotificationMethod<'client'>>().toEqualTypeOf<'session/update' | 'elicitation/complete'>();
  });

  test('a call resolves with the result type of its method', () => {
    compiledOnly(() => {
      const client = connectClient(new TestWire(), {});
      const agent = connectAgent(new TestWire(), {});
      expectTypeOf(client.request('session/new', { cwd: '/', mcpServers: [] })).resolves.toEqualTypeOf<
        Result<'session/new'>
      >();
      expectTypeOf(client.request('session/prompt', { sessionId: 's', prompt: [] })).resolves.toEqualTypeOf<
        Result<'session/prompt'>
      >();
      expectTypeOf(
        agent.request('terminal/create', { sessionId: 's', command: 'ls', args: ['-l'] }),
      ).resolves.toEqualTypeOf<Result<'terminal/create'>>();
      expectTypeOf(client.request('_any/thing', 5, { timeout: 5 })).resolves.toBeUnknown();
      expectTypeOf(client.notify('_any/thing')).resolves.toBeVoid();
      expectTypeOf(client.remote).toEqualTypeOf<Result<'initialize'> | undefined>();
      expectTypeOf(agent.remote).toEqualTypeOf<Params<'initialize'> | undefined>();
      expectTypeOf<Result<'session/prompt'>['stopReason']>().toEqualTypeOf<
        'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled'
      >();
      expectTypeOf<RequestId>().toEqualTypeOf<string | number | null>();
    });
  });

  test('sending a message that the protocol does not allow does not compile', () => {
    const impossible = () => {
      const client: Peer<'client'> = connectClient(new TestWire(), {});
      const agent: Peer<'agent'> = connectAgent(new TestWire(), {});
      const update = { sessionId: 's', update: { sessionUpdate: 'plan', entries: [] } } as const;
      return [
        // @ts-expect-error: a client does not send updates
        client.notify('session/update', update),
        // @ts-expect-error: an agent does not create sessions
        agent.request('session/new', { cwd: '/', mcpServers: [] }),
        // @ts-expect-error: a notification is not a request
        client.request('session/cancel', { sessionId: 's' }),
        // @ts-expect-error: a request is not a notification
        client.notify('session/prompt', { sessionId: 's', prompt: [] }),
        // @ts-expect-error: the peer cancels by itself
        client.notify('$/cancel_request', { requestId: 1 }),
        // @ts-expect-error: there is no such method
        client.request('session/nothing', {}),
        // @ts-expect-error: extensions start with an underscore
        client.request('vendor/method', {}),
        // @ts-expect-error: cwd is missing
        client.request('session/new', { mcpServers: [] }),
        // @ts-expect-error: cwd is no number
        client.request('session/new', { cwd: 5, mcpServers: [] }),
        // @ts-expect-error: no content block is of type text and without text
        client.request('session/prompt', { sessionId: 's', prompt: [{ type: 'text' }] }),
        // @ts-expect-error: there is no such content block, and prompts are not open to new ones
        client.request('session/prompt', { sessionId: 's', prompt: [{ type: 'video', url: 'x' }] }),
        // @ts-expect-error: there is no such update
        agent.notify('session/update', {
          sessionId: 's',
          update: { sessionUpdate: 'agent_message_chnuk', content: { type: 'text', text: '' } },
        }),
        // @ts-expect-error: a tool call needs a title
        agent.notify('session/update', { sessionId: 's', update: { sessionUpdate: 'tool_call', toolCallId: 't' } }),
        // @ts-expect-error: there is no such status
        agent.notify('session/update', {
          sessionId: 's',
          update: { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'done' },
        }),
        // @ts-expect-error: line is a number
        agent.request('fs/read_text_file', { sessionId: 's', path: '/a', line: '1' }),
      ];
    };
    expectTypeOf(impossible).toBeFunction();
  });
});

describe('the messages that a side can handle', () => {
  test('a handler that the protocol does not allow does not compile', () => {
    const impossible = (): readonly (Handlers<'agent'> | Handlers<'client'>)[] => [
      // @ts-expect-error: there is no such stop reason
      { 'session/prompt': () => ({ stopReason: 'done' }) } satisfies Handlers<'agent'>,
      // @ts-expect-error: a stop reason is needed
      { 'session/prompt': () => ({}) } satisfies Handlers<'agent'>,
      // @ts-expect-error: a prompt has to be answered
      { 'session/prompt': () => undefined } satisfies Handlers<'agent'>,
      // @ts-expect-error: it is the client who gets updates
      { 'session/update': () => undefined } satisfies Handlers<'agent'>,
      // @ts-expect-error: it is the agent who creates sessions
      { 'session/new': () => ({ sessionId: 's' }) } satisfies Handlers<'client'>,
      // @ts-expect-error: there is no such outcome
      { 'session/request_permission': () => ({ outcome: { outcome: 'allowed' } }) } satisfies Handlers<'client'>,
      // @ts-expect-error: an option has to be named
      { 'session/request_permission': () => ({ outcome: { outcome: 'selected' } }) } satisfies Handlers<'client'>,
      // @ts-expect-error: the peer cancels by itself
      { '$/cancel_request': () => undefined } satisfies Handlers<'client'>,
    ];
    expectTypeOf(impossible).toBeFunction();
  });

  test('handlers, synchronous or not, have typed parameters, contexts and results', () => {
    const handlers: Handlers<'agent'> = {
      initialize: ({ protocolVersion }, { requestId, signal, peer, method }) => {
        expectTypeOf(protocolVersion).toBeNumber();
        expectTypeOf(requestId).toEqualTypeOf<RequestId>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(peer).toEqualTypeOf<Peer<'agent'>>();
        expectTypeOf(method).toBeString();
        return { protocolVersion };
      },
      'session/new': async ({ cwd, mcpServers }) => ({ sessionId: `${cwd}${mcpServers.length}` }),
      'session/cancel': ({ sessionId }, context) => {
        expectTypeOf(sessionId).toBeString();
        expectTypeOf(context).not.toHaveProperty('signal');
      },
      '_vendor/anything': (params, { requestId, signal }) => {
        expectTypeOf(params).toBeUnknown();
        expectTypeOf(requestId).toEqualTypeOf<RequestId | undefined>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal | undefined>();
        return params;
      },
    };
    expect(Object.keys(handlers)).toHaveLength(4);
    expectTypeOf<'_x'>().toExtend<ExtensionMethod>();
    expectTypeOf<'x'>().not.toExtend<ExtensionMethod>();
  });

  test('writing to a received message does not compile', () => {
    const impossible = (): Handlers<'client'> => ({
      'session/update': (params) => {
        // @ts-expect-error: what was received is read only
        params.sessionId = 'other';
        // @ts-expect-error: all the way down
        if (params.update.sessionUpdate === 'plan') params.update.entries.push();
      },
    });
    expectTypeOf(impossible).toBeFunction();
  });
});

describe('updates of unknown kinds', () => {
  /** What a switch over the known updates can do: each narrows, and the rest has a type of its own. */
  function told(update: Update): string {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return update.content.type === 'text' ? update.content.text : update.content.type;
      case 'tool_call':
        expectTypeOf(update.title).toBeString();
        return update.toolCallId;
      case 'current_mode_update':
        return update.currentModeId;
      default:
        return update.sessionUpdate;
    }
  }

  test('an update of an unknown kind is received, told apart and passed on unchanged', async () => {
    const future = { sessionId: 's', update: { sessionUpdate: 'x_future', anything: [{ a: null }] } };
    const { wire: out, peer: agent } = await readyAgent();
    const tags: string[] = [];
    const { wire } = await readyClient({
      'session/update': async (params) => {
        tags.push(told(params.update));
        await agent.notify('session/update', params);
      },
    });
    wire.feed(note('session/update', future), chunk('s', 'known'));
    await macrotask();
    expect({ tags, passedOn: out.take() }).toEqual({
      tags: ['x_future', 'known'],
      passedOn: [note('session/update', future), chunk('s', 'known')],
    });
  });
});
