import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type { ClientCapabilities, CreateElicitationRequest, Peer } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { coderAuth } from '../../src/auth/coder-auth.ts';
import { dropHeldKeys } from '../../src/keys/key-store.ts';
import { serveCoder } from '../../src/index.ts';
import { ProviderServer } from './provider-server.ts';

let data: string;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'login-'));
});

afterEach(async () => {
  dropHeldKeys();
  await rm(data, { recursive: true, force: true });
});

type Visit = (url: string) => unknown;

interface Fixture extends AsyncDisposable {
  readonly client: Peer<'client'>;
  readonly provider: ProviderServer;
  readonly asked: CreateElicitationRequest[];
  readonly completed: string[];
  readonly logged: string[];
}

/** The coder with a provider of ours, and a user who visits pages as the test says. */
async function open(visit: Visit, capabilities: ClientCapabilities = { elicitation: { url: {} } }): Promise<Fixture> {
  const provider = await ProviderServer.start('sk-good');
  const [here, there] = memoryPair();
  const logged: string[] = [];
  const env = {
    XDG_DATA_HOME: data,
    XDG_CONFIG_HOME: data,
    ANTHROPIC_BASE_URL: provider.url,
    OPENROUTER_BASE_URL: `${provider.url}/api/v1`,
  };
  const agent = serveCoder({ env, transport: there, log: (entry) => void logged.push(JSON.stringify(entry)) });
  const asked: CreateElicitationRequest[] = [];
  const completed: string[] = [];
  const client = connectClient(here, {
    'elicitation/create': async (question) => {
      asked.push(question);
      return { action: ((await visit((question as { url: string }).url)) as 'decline' | undefined) ?? 'accept' };
    },
    'elicitation/complete': ({ elicitationId }) => void completed.push(elicitationId),
  });
  await client.request('initialize', { protocolVersion, clientCapabilities: capabilities });
  return {
    client,
    provider,
    asked,
    completed,
    logged,
    [Symbol.asyncDispose]: async () => {
      await agent.close();
      await provider[Symbol.asyncDispose]();
    },
  };
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: Record<string, unknown>;
}

/** Asks for a page as a browser does. */
function visitPage(
  url: string,
  init: { method?: string; key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: init.method ?? 'GET', headers: init.headers ?? {}, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }));
      },
    );
    sent.on('error', reject);
    sent.end(init.key === undefined ? undefined : new URLSearchParams({ key: init.key }).toString());
  });
}

const give = (url: string, key: string): Promise<Answer> => visitPage(url, { method: 'POST', key });
const stored = async (): Promise<unknown> => JSON.parse(await readFile(join(data, 'turnwire/coder/keys.json'), 'utf8'));
const login = { methodId: 'anthropic' };

test('a client is offered only the login methods it supports: a page for each provider, or a terminal', async () => {
  await using plain = await open(() => undefined, { elicitation: { form: {} } });
  await using pages = await open(() => undefined);
  await using rich = await open(() => undefined, { elicitation: { url: {} }, auth: { terminal: true } });
  await using terminal = await open(() => undefined, { auth: { terminal: true } });
  const ids = ({ client }: Fixture): readonly string[] => (client.remote?.authMethods ?? []).map(({ id }) => id);
  expect([ids(plain), ids(pages), ids(rich), ids(terminal)]).toEqual([
    [],
    ['anthropic', 'openai', 'google', 'openrouter'],
    ['anthropic', 'openai', 'google', 'openrouter', 'terminal'],
    ['terminal'],
  ]);
  expect(rich.client.remote?.authMethods?.at(-1)).toMatchObject({ type: 'terminal', args: ['login'] });
});

test('a local page asks for the key, which is checked with its provider and stored', async () => {
  let pages: readonly Answer[] = [];
  await using fixture = await open(async (url) => {
    pages = [await visitPage(url), await give(url, ' sk-good ')];
  });
  expect(await fixture.client.request('authenticate', login)).toEqual({});
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  expect(pages[0]?.text).toContain('<input id="key" name="key" type="password"');
  expect(pages[0]?.headers).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'no-store',
  });
  expect(await stored()).toEqual({ anthropic: 'sk-good' });
  expect(fixture.provider.asked).toEqual([{ path: '/v1/models', key: 'sk-good' }]);
  const [question] = fixture.asked;
  expect(question).toMatchObject({ mode: 'url', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}$/) });
  expect(fixture.completed).toEqual([(question as { elicitationId: string }).elicitationId]);
  expect(fixture.logged.join()).not.toContain('sk-good');
});

test('logging in at OpenRouter exchanges the code in the redirect for a key', async () => {
  let pages: readonly Answer[] = [];
  let page: URL | undefined;
  await using fixture = await open(async (url) => {
    const begun = await visitPage(`${url}/login`);
    page = new URL(String(begun.headers['location']));
    fixture.provider.challenge = page.searchParams.get('code_challenge') ?? '';
    const back = page.searchParams.get('callback_url') ?? '';
    pages = [await visitPage(url), begun];
    for (const query of ['', '?code=bad', '?code=good']) pages = [...pages, await visitPage(`${back}${query}`)];
  });
  await fixture.client.request('authenticate', { methodId: 'openrouter' });
  expect(pages.map(({ status }) => status)).toEqual([200, 303, 422, 422, 200]);
  expect(pages[0]?.text).toContain('Log in at OpenRouter');
  expect([page?.pathname, page?.searchParams.get('code_challenge_method')]).toEqual(['/auth', 'S256']);
  expect(page?.searchParams.get('callback_url')).toMatch(/^http:\/\/localhost:\d+\/[\w-]{32}\/back$/);
  expect(pages.slice(2, 4).map(({ text }) => /role="alert">([^<]*)</.exec(text)?.[1])).toEqual([
    'OpenRouter gave no code: log in once more, or enter a key.',
    'OpenRouter gave no key (HTTP 403).',
  ]);
  expect(await stored()).toEqual({ openrouter: 'sk-good' });
  expect(fixture.provider.asked).toEqual([{ path: '/api/v1/key', key: 'sk-good' }]);
  expect(fixture.logged.join()).not.toContain('sk-good');
});

test('the page closes when the login ends', async () => {
  let address = '';
  await using fixture = await open(async (url) => {
    address = url;
    await give(url, 'sk-good');
  });
  await fixture.client.request('authenticate', login);
  await expect(visitPage(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a mistyped key can be entered again', async () => {
  let pages: readonly Answer[] = [];
  await using fixture = await open(async (url) => {
    pages = [await give(url, 'two words'), await give(url, 'sk-wrong'), await give(url, 'sk-good')];
  });
  await fixture.client.request('authenticate', login);
  expect(pages.map(({ status }) => status)).toEqual([422, 422, 200]);
  expect(pages[1]?.text).toContain('Anthropic rejects this key. Nothing was stored.');
  expect(pages.map(({ text }) => text).join()).not.toMatch(/sk-wrong|sk-good/);
});

test("requests without the page's address, host or origin are refused", async () => {
  let answers: readonly (number | undefined)[] = [];
  await using fixture = await open(async (url) => {
    const { origin, port } = new URL(url);
    const tries = [
      visitPage(origin),
      visitPage(`${url}x`),
      visitPage(`${url}/login`),
      visitPage(`${url}/back?code=good`),
      visitPage(url, { headers: { host: `evil.example:${port}` } }),
      visitPage(url, { method: 'POST', key: 'sk-good', headers: { origin: 'http://evil.example' } }),
      visitPage(url, { method: 'POST', key: 'sk-good', headers: { 'sec-fetch-site': 'cross-site' } }),
      visitPage(url, { method: 'PUT' }),
      visitPage(url, { method: 'POST', key: 'x'.repeat(10_000) }),
    ];
    answers = (await Promise.all(tries)).map(({ status }) => status);
    return 'decline';
  });
  await expect(fixture.client.request('authenticate', login)).rejects.toMatchObject({ code: -32000 });
  expect(answers).toEqual([404, 404, 404, 404, 404, 403, 403, 405, 422]);
  await expect(stored()).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a key is stored even if its provider cannot be reached', async () => {
  let page: Answer | undefined;
  await using fixture = await open(async (url) => {
    await fixture.provider[Symbol.asyncDispose]().catch(() => undefined);
    page = await give(url, 'sk-good');
  });
  await fixture.client.request('authenticate', login);
  expect(page?.text).toContain('could not be checked');
  expect(await stored()).toEqual({ anthropic: 'sk-good' });
});

test('declining a login stores nothing and is reported', async () => {
  await using fixture = await open(() => 'decline');
  await expect(fixture.client.request('authenticate', login)).rejects.toMatchObject({
    code: -32000,
    message: 'No Anthropic key was entered; nothing was stored.',
  });
});

test('cancelling a login closes its page', async () => {
  const controller = new AbortController();
  let address = '';
  await using fixture = await open((url) => {
    address = url;
    controller.abort();
  });
  await expect(fixture.client.request('authenticate', login, { signal: controller.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
  const isClosed = async (): Promise<boolean> =>
    visitPage(address).then(
      () => false,
      () => true,
    );
  while (!(await isClosed()));
});

/** What a client gets that logs in though no login was offered to it. */
async function loginUnasked(env: Readonly<Record<string, string>>): Promise<unknown> {
  const asked: unknown[] = [];
  const auth = coderAuth({ XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, ...env });
  const form = async (question: unknown): Promise<{ outcome: 'declined' }> => {
    asked.push(question);
    return { outcome: 'declined' };
  };
  const { signal } = new AbortController();
  const attempt = { signal, client: {}, request: { methodId: 'anthropic' }, askUser: { form } };
  const came = await Promise.resolve(auth.authenticate?.('anthropic', attempt)).catch((error: unknown) => error);
  return [came, asked];
}

test('a client that cannot open pages is pointed to the terminal login, and is never shown a form', async () => {
  expect(await loginUnasked({})).toEqual([
    expect.objectContaining({
      code: -32000,
      message: expect.stringMatching(/turnwire coder login anthropic.*ANTHROPIC_API_KEY/) as unknown,
    }),
    [],
  ]);
});

test.each([{ TURNWIRE_CODER_MODEL: 'offline' }, { OPENAI_API_KEY: 'k' }])(
  'a client that logs in without need continues where a model is set up: %j',
  async (env) => {
    expect(await loginUnasked(env)).toEqual([undefined, []]);
  },
);

test('a key in the request is checked and used, and never stored', async () => {
  await using fixture = await open(() => undefined);
  const send = (apiKey: string): Promise<unknown> =>
    fixture.client.request('authenticate', { ...login, credentials: { apiKey } } as typeof login);
  const refusal = await send('sk-wrong').catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: -32000, message: 'Anthropic rejects this key.' });
  const option = async (): Promise<unknown> => {
    const { configOptions } = await fixture.client.request('session/new', { cwd: data, mcpServers: [] });
    return configOptions?.find(({ id }) => id === 'model')?.currentValue;
  };
  expect(await option()).toBe('offline');
  expect(await send('sk-good')).toEqual({});
  expect(await option()).toMatch(/^anthropic\//);
  await expect(stored()).rejects.toMatchObject({ code: 'ENOENT' });
  await fixture.client.request('logout', {});
  expect(await option()).toBe('offline');
  expect(fixture.logged.join()).not.toMatch(/sk-good|sk-wrong/);
});

test('logging out deletes the stored keys', async () => {
  await using fixture = await open((url) => give(url, 'sk-good').then(() => undefined));
  await fixture.client.request('authenticate', login);
  expect(await fixture.client.request('logout', {})).toEqual({});
  expect(await stored()).toEqual({});
});
