import { type BridgeClient, type Received, until } from './bridge-clients.ts';

/** Goes through a session: login, turns with everything, a queue, a cancel. @param line receives each line of the story */
export async function firstConnection(
  client: BridgeClient,
  cwd: string,
  line: (text: string) => void,
): Promise<string> {
  const { call, version } = client;
  const open = { cwd, ...(version === 1 && { mcpServers: [] }) };
  line(`initialize ${version} ${shown(client.introduction['authMethods'])}`);
  line(`new ${await outcome(call('session/new', open))}`);
  line(
    `login ${await outcome(version === 1 ? call('authenticate', { methodId: 'web' }) : call('auth/login', { methodId: 'web' }))}`,
  );
  const opened = await call('session/new', open);
  const sessionId = String(opened['sessionId']);
  line(`new ${shown(opened)}`);
  const turns = new Turns(client, sessionId);
  // The second prompt waits while the first one asks.
  const allow = client.hold();
  const work = turns.prompt('work');
  await until(() => client.received.some(({ method }) => method === 'session/request_permission'));
  const next = turns.prompt('next');
  allow();
  line(`work ${await work}`);
  line(`next ${await next}`);
  line(`mode ${await outcome(setMode(client, sessionId))}`);
  line(`form ${await turns.prompt('form')}`);
  line(`fail ${await turns.prompt('fail')}`);
  const before = client.received.length;
  const waiting = turns.prompt('wait');
  await until(() => shown(client.received.slice(before)).includes('"waiting"'));
  const never = turns.prompt('never');
  // The cancel concerns every prompt before it.
  await client.notify('session/cancel', { sessionId });
  line(`cancelled ${await waiting}`);
  line(`withdrawn ${await never}`);
  for (const text of summary(client.received)) line(text);
  return sessionId;
}

/** Opens the session in another connection: with a replay, and again without one; then it has another turn. */
export async function secondConnection(
  client: BridgeClient,
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
  line: (text: string) => void,
): Promise<void> {
  const { call, version } = client;
  const { sessions } = (await call('session/list', {})) as { readonly sessions: readonly Received[] };
  line(`list ${sessions.map(({ title }) => String(title)).join()}`);
  const open = { sessionId, cwd, ...(version === 1 && { mcpServers: [] }) };
  const load =
    version === 1 ? call('session/load', open) : call('session/resume', { ...open, replayFrom: { type: 'start' } });
  line(`load ${await outcome(load)}`);
  if (version === 2)
    await until(
      () => client.received.at(-1)?.['method'] === 'session/update' && shown(client.received.at(-1)).includes('"idle"'),
    );
  const replayed = client.received.length;
  line(`resume ${await outcome(call('session/resume', open))}`);
  // A proxy starts the agent again.
  line(`again ${await new Turns(client, sessionId).prompt('again')}`);
  await until(() => shown(client.received.slice(replayed)).includes('"again"'));
  line(`logout ${await logout(client)}`);
  line(`close ${await outcome(call('session/close', { sessionId }))}`);
  for (const text of summary(client.received.slice(0, replayed))) line(text);
}

function setMode({ version, call }: BridgeClient, sessionId: string): Promise<unknown> {
  if (version === 1) return call('session/set_mode', { sessionId, modeId: 'code' });
  return call('session/set_config_option', { sessionId, configId: 'mode', type: 'id', value: 'code' });
}

/** Only if it is offered. Version 2 has one if there is a login. */
async function logout({ version, introduction, call }: BridgeClient): Promise<string> {
  const { auth } = (introduction['agentCapabilities'] ?? {}) as { readonly auth?: { readonly logout?: object } };
  if (version === 2) return outcome(call('auth/logout', {}));
  return auth?.logout ? outcome(call('logout', {})) : 'not offered';
}

/** The turns of a session. */
class Turns {
  readonly #client: BridgeClient;
  readonly #sessionId: string;

  constructor(client: BridgeClient, sessionId: string) {
    this.#client = client;
    this.#sessionId = sessionId;
  }

  /** Sends a prompt, and returns how its turn ended. */
  async prompt(text: string): Promise<string> {
    const { call, received, version } = this.#client;
    const from = received.length;
    const answer = call('session/prompt', { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] });
    if (version === 1) return outcome(answer);
    const result = await answer.catch((error: unknown) => error);
    if (result instanceof Error) return failure(result);
    const { messageId } = result as Received;
    const updates = (): readonly Received[] => received.slice(from).map(({ update }) => update as Received);
    const end = (): Received | undefined => {
      const echo = updates().findIndex(
        (update) => update?.['messageId'] === messageId && update['sessionUpdate'] === 'user_message',
      );
      return echo === -1
        ? undefined
        : updates()
            .slice(echo)
            .find((update) => update?.['state'] === 'idle');
    };
    await until(() => end() !== undefined);
    const { sessionUpdate: _, state: _state, ...reason } = end() as Received;
    return shown(reason);
  }
}

async function outcome(result: Promise<unknown>): Promise<string> {
  return result.then(shown, failure);
}

function failure(error: unknown): string {
  const { code, message, data } = error as {
    readonly code?: number;
    readonly message?: string;
    readonly data?: unknown;
  };
  return shown({ code, message, data });
}

/** Its JSON with sorted keys, without `_meta` of the gateway except for what a translation has lost. */
function shown(value: unknown): string {
  return JSON.stringify(value, (key, field: unknown) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return field;
    const sorted = Object.fromEntries(Object.entries(field).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    if (key !== '_meta') return sorted;
    const { turnwire, ...rest } = sorted as { readonly turnwire?: { readonly lost?: unknown } };
    const kept = { ...rest, ...(turnwire?.lost !== undefined && { lost: turnwire.lost }) };
    return Object.keys(kept).length > 0 ? kept : undefined;
  });
}

/** Only the owner of the machine may remember an answer for the project: a client of the proxy, but no other. */
function forAll({ options, ...params }: Received): Received {
  const offered = options as readonly { readonly optionId: string }[] | undefined;
  return offered ? { ...params, options: offered.filter(({ optionId }) => optionId !== 'turnwire-project') } : params;
}

/**
 * What a client has received: its updates, the terminals of the agent with all of their output, and its requests. HTTP has a stream for each of them,
 * and how the output of a terminal is divided depends on time.
 */
function summary(received: readonly Received[]): readonly string[] {
  const terminals = new Map<unknown, { output: string } & Received>();
  const updates: string[] = [];
  for (const { method, update, _meta } of received) {
    if (method !== 'session/update') continue;
    const { sessionUpdate, terminalId, data, ...facts } = update as Received;
    if (sessionUpdate !== 'terminal_update' && sessionUpdate !== 'terminal_output_chunk') {
      updates.push(
        shown({
          ...(update as Received),
          _meta: { ...(_meta as Received), ...((update as Received)['_meta'] as object) },
        }),
      );
      continue;
    }
    const before = terminals.get(terminalId) ?? { output: '' };
    const output = before.output + Buffer.from(typeof data === 'string' ? data : '', 'base64').toString();
    terminals.set(terminalId, { ...before, ...facts, output });
  }
  const requests = received.filter(({ method }) => method !== 'session/update');
  return [
    ...updates,
    ...Array.from(terminals, ([terminalId, facts]) => `terminal ${shown({ terminalId, ...facts })}`),
    ...requests.map(({ method, sessionId: _, ...params }) => `${String(method)} ${shown(forAll(params))}`),
  ];
}

const ids = /"(messageId|terminalId|terminal_id|toolCallId)":"([^"]+)"/g;

/** Replaces ids by their names, in the order in which they appear. */
export function withNames(lines: readonly string[], known: Readonly<Record<string, string>>): string[] {
  const names = new Map<string, string>();
  return lines.map((text) => {
    const named = text.replaceAll(ids, (_, kind: string, id: string) => {
      const name = names.get(`${kind} ${id}`) ?? `${kind}-${names.size + 1}`;
      names.set(`${kind} ${id}`, name);
      return `"${kind}":"${name}"`;
    });
    return Object.entries(known).reduce((all, [name, value]) => all.replaceAll(value, name), named);
  });
}
