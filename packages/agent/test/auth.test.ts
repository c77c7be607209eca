import { authenticationRequired, ProtocolError } from '@turnwire/protocol';
import type { ClientCapabilities } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import type { AgentDefinition, Login } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

const agentMethod = { id: 'key', name: 'API key' };
const terminalMethod = { id: 'shell', name: 'In a terminal', type: 'terminal', args: ['login'] } as const;

/** An agent that needs a login before it does anything. */
function gatekeeper(): Partial<AgentDefinition> {
  let isIn = false;
  const admit = (): void => {
    if (!isIn) throw authenticationRequired('Log in first');
  };
  return {
    auth: {
      methods: [agentMethod, terminalMethod],
      authenticate: () => void (isIn = true),
      logout: () => void (isIn = false),
    },
    openSession: admit,
    prompt: admit,
  };
}

test('without auth neither login nor logout is offered', async () => {
  const { client } = await pair({});
  expect(client.remote?.authMethods).toEqual([]);
  await expect(client.request('authenticate', { methodId: 'key' })).rejects.toMatchObject({ code: 'not-advertised' });
  await expect(client.request('logout', {})).rejects.toMatchObject({ code: 'not-advertised' });
});

test('a login method without a handler is refused when the agent is served', async () => {
  await expect(pair({ auth: { methods: [terminalMethod, agentMethod] } })).rejects.toThrow(
    'auth.methods has "key", which is not of type "terminal": define auth.authenticate',
  );
});

test('terminal logins are offered only to clients that have a terminal', async () => {
  const plain = await pair(gatekeeper());
  const rich = await pair(gatekeeper(), { capabilities: { auth: { terminal: true } } });
  expect([plain.client.remote?.authMethods, rich.client.remote?.authMethods]).toEqual([
    [agentMethod],
    [agentMethod, terminalMethod],
  ]);
});

test('a method is offered only to clients that can use it', async () => {
  const auth: AgentDefinition['auth'] = {
    methods: [agentMethod, { id: 'page', name: 'On a page' }],
    isUsable: ({ id }, { elicitation }) => id !== 'page' || Boolean(elicitation?.url),
    authenticate: () => undefined,
  };
  const plain = await pair({ auth });
  const rich = await pair({ auth }, { capabilities: { elicitation: { url: {} } } });
  const ids = [plain, rich].map(({ client }) => client.remote?.authMethods?.map(({ id }) => id));
  expect(ids).toEqual([['key'], ['key', 'page']]);
});

test('sessions and prompts require a login, and require it again after a logout', async () => {
  const { client, open, prompt } = await pair(gatekeeper());
  const refusal = new ProtocolError(-32000, 'Log in first');
  await expect(open()).rejects.toEqual(refusal);
  expect(await client.request('authenticate', { methodId: 'key' })).toEqual({});
  const id = await open();
  expect(await prompt(id, 'hello')).toEqual({ stopReason: 'end_turn' });
  expect([await client.request('logout', {}), client.remote?.agentCapabilities?.auth]).toEqual([{}, { logout: {} }]);
  await expect(prompt(id, 'hello')).rejects.toEqual(refusal);
  await expect(open()).rejects.toEqual(refusal);
});

test.each(['nobody', 'shell'])('a login method without support here is refused: %s', async (methodId) => {
  const { client } = await pair(gatekeeper(), { capabilities: { auth: { terminal: true } } });
  await expect(client.request('authenticate', { methodId })).rejects.toMatchObject({ code: 'not-advertised' });
});

test('a failed login is answered with the reason', async () => {
  const { client } = await pair({
    auth: { methods: [agentMethod], authenticate: () => Promise.reject(new ProtocolError(-32000, 'The key is wrong')) },
  });
  await expect(client.request('authenticate', { methodId: 'key' })).rejects.toThrow('The key is wrong');
});

/** Logs in once and returns the login the agent got and the requests to the client. */
async function login(
  authenticate: (login: Login) => unknown,
  capabilities: ClientCapabilities,
  { answer = { action: 'accept' }, request = {} }: { readonly answer?: object; readonly request?: object } = {},
): Promise<{ readonly asked: unknown[]; readonly completed: string[]; readonly logged: readonly unknown[] }> {
  const asked: unknown[] = [];
  const completed: string[] = [];
  const { client, logged } = await pair(
    { auth: { methods: [agentMethod], authenticate: async (_, attempt) => void (await authenticate(attempt)) } },
    {
      capabilities,
      client: {
        'elicitation/create': (question) => {
          asked.push(question);
          return answer as never;
        },
        'elicitation/complete': ({ elicitationId }) => void completed.push(elicitationId),
      },
    },
  );
  await client.request('authenticate', { methodId: 'key', ...request });
  return { asked, completed, logged };
}

test('a login asks the user with a form or a page, as part of its request', async () => {
  const form = { properties: { account: { type: 'string' as const } }, required: ['account'] };
  const answers: unknown[] = [];
  const { asked, completed } = await login(
    async ({ askUser }) => {
      answers.push(await askUser?.form?.({ message: 'Which account?', form }));
      const visit = await askUser?.page?.({ message: 'Confirm there', url: 'https://example.org/confirm' });
      if (visit?.outcome === 'answered') await visit.completed();
    },
    { elicitation: { form: {}, url: {} } },
    { answer: { action: 'accept', content: { account: 'mine' } } },
  );
  expect([numbered(asked), answers]).toEqual([
    [
      { mode: 'form', message: 'Which account?', requestId: expect.any(Number), requestedSchema: form },
      {
        mode: 'url',
        message: 'Confirm there',
        requestId: expect.any(Number),
        url: 'https://example.org/confirm',
        elicitationId: 'id-1',
      },
    ],
    [{ outcome: 'answered', values: { account: 'mine' }, completed: expect.any(Function) }],
  ]);
  expect(completed).toEqual([(asked[1] as { readonly elicitationId: string }).elicitationId]);
});

test.each<[ClientCapabilities, readonly string[] | undefined]>([
  [{}, undefined],
  [{ elicitation: {} }, undefined],
  [{ elicitation: { form: {} } }, ['form']],
  [{ elicitation: { url: {} } }, ['page']],
])('with %j a login can ask with %j', async (capabilities, ways) => {
  let found: readonly string[] | undefined;
  await login(({ askUser }) => (found = askUser && Object.keys(askUser)), capabilities);
  expect(found).toEqual(ways);
});

test('a login gets unknown fields of its request, which are never logged', async () => {
  const more = { credentials: { apiKey: 'hidden' }, _meta: { 'api-key': 'hidden too' } };
  let request: unknown;
  const { logged } = await login((attempt) => (request = attempt.request), {}, { request: more });
  expect([request, logged]).toEqual([{ methodId: 'key', ...more }, []]);
});

test('cancelling a login withdraws its question', async () => {
  const asked = gate();
  let came: unknown;
  const { client } = await pair(
    {
      auth: {
        methods: [agentMethod],
        authenticate: async (_, { askUser, signal }) => {
          came = await askUser?.page?.({ message: 'Log in there', url: 'https://example.org' });
          signal.throwIfAborted();
        },
      },
    },
    {
      capabilities: { elicitation: { url: {} } },
      client: {
        'elicitation/create': async () => {
          asked.open();
          return new Promise<never>(() => undefined);
        },
      },
    },
  );
  const attempt = new AbortController();
  const answer = client.request('authenticate', { methodId: 'key' }, { signal: attempt.signal });
  await asked.opened;
  attempt.abort();
  await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
  expect(came).toEqual({ outcome: 'cancelled' });
});
