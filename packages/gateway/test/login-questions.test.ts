import { tmpdir } from 'node:os';
import { attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { authenticationRequired, connectAgent, type CreateElicitationRequest, type Handlers } from '@turnwire/protocol';
import { v2, type V2 } from '@turnwire/protocol/v2';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';

const form = {
  mode: 'form',
  message: 'Which account?',
  requestedSchema: { type: 'object', properties: { account: { type: 'string' } } },
} as const;
const page = { mode: 'url', message: 'Sign in', elicitationId: 'page', url: 'https://login.example/' } as const;

/** An agent of version 2 that asks for an account with a form, and for consent with a page, before it logs in. */
function agentWithLogin(answers: unknown[]): HostedAgent['start'] {
  let isLoggedIn = false;
  const handlers: Handlers<'agent', V2> = {
    initialize: () => ({
      protocolVersion: 2,
      info: { name: 'bank', version: '1' },
      capabilities: { session: {} },
      authMethods: [{ type: 'agent', methodId: 'web', name: 'Web' }],
    }),
    'session/new': () => {
      if (!isLoggedIn) throw authenticationRequired();
      return { sessionId: 's' };
    },
    'auth/login': async (_, { peer, requestId }) => {
      answers.push(await peer.request('elicitation/create', { requestId: requestId as number, ...form }));
      answers.push(await peer.request('elicitation/create', { requestId: requestId as number, ...page }));
      await peer.notify('elicitation/complete', { elicitationId: 'page' });
      isLoggedIn = true;
      return {};
    },
    'auth/logout': () => ({}),
  };
  return (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, handlers, { edition: v2 });
    return attachAgent(near, { ...options, versions: protocolVersions([1, 2]) });
  };
}

test.each([1, 2] as const)(
  'only the client of version %i that logs in receives the form and the page of the login, as questions of its own request',
  async (version) => {
    const answers: unknown[] = [];
    await using gateway = new Gateway({
      store: memoryStore(),
      agents: { bank: { start: agentWithLogin(answers) } },
      cwd: tmpdir(),
    });
    const asked: unknown[] = [];
    let login: unknown;
    const connect = (name: string): ReturnType<typeof attachAgent> => {
      const [near, far] = memoryPair();
      gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'bank' });
      const answer = (request: CreateElicitationRequest): { readonly action: 'accept'; readonly content?: object } => {
        const { requestId, mode, message } = request as CreateElicitationRequest & { readonly requestId?: unknown };
        asked.push([name, requestId, mode, message]);
        return mode === 'form' ? { action: 'accept', content: { account: 'mine' } } : { action: 'accept' };
      };
      return attachAgent(near, {
        versions: version === 2 ? protocolVersions([2]) : undefined,
        host: {
          elicitation: {
            form: answer as never,
            url: answer as never,
            complete: (id) => void asked.push([name, 'complete', id]),
          },
        },
        tap: (direction, frame) => {
          const { id, method } = JSON.parse(frame) as { readonly id?: unknown; readonly method?: string };
          if (direction === 'out' && /^(?:auth\/login|authenticate)$/.test(method ?? '')) login = id;
        },
      });
    };
    await using one = await connect('one');
    await using other = await connect('other');
    await expect(other.newSession({ cwd: tmpdir() })).rejects.toMatchObject({ code: -32_000 });
    await one.authenticate('web');
    expect({ asked, answers, isNumbered: typeof login }).toEqual({
      asked: [
        ['one', login, 'form', 'Which account?'],
        ['one', login, 'url', 'Sign in'],
        ['one', 'complete', 'page'],
      ],
      answers: [{ action: 'accept', content: { account: 'mine' } }, { action: 'accept' }],
      isNumbered: 'number',
    });
    expect((await one.newSession({ cwd: tmpdir() })).id).toEqual(expect.any(String));
  },
);
