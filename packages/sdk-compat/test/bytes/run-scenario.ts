import type { Sdk } from '../both-packages.ts';
import { agentScenarios, type Chunk, maxMessageBytes } from './agent-scenarios.ts';
import { clientScenarios } from './client-scenarios.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly code: number };
}

const encoder = new TextEncoder();
const ping = '{"jsonrpc":"2.0","id":"ping","method":"_ping"}\n';

/** The two byte streams of a program, and the messages that it wrote. */
function wires(sdk: Sdk) {
  const input = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 999 }, { highWaterMark: 999 });
  const decoder = new TextDecoder();
  const written: Message[] = [];
  let changed: () => void = () => undefined;
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => {
      for (const text of decoder.decode(bytes).split('\n')) if (text !== '') written.push(JSON.parse(text) as Message);
      changed();
    },
  });
  const writer = input.writable.getWriter();
  return {
    stream: sdk.ndJsonStream(output, input.readable, { maxMessageBytes }),
    written,
    write: (chunk: Chunk) =>
      writer.write(typeof chunk === 'string' ? encoder.encode(chunk) : chunk).catch(() => undefined),
    end: () => writer.close().catch(() => undefined),
    until: async (isTrue: () => boolean) => {
      while (!isTrue()) await new Promise<void>((resolve) => (changed = resolve));
    },
  };
}

const cycle: { self?: object } = {};
cycle.self = cycle;
const values: Readonly<Record<string, unknown>> = { bigint: 1n, cycle, function: () => undefined };

function throwIt(kind: unknown): never {
  // oxlint-disable-next-line typescript/only-throw-error -- programs do this
  throw kind === 'error' ? new Error('failed') : kind === 'string' ? 'failed' : undefined;
}

const asIs = (params: unknown): unknown => params;

/** Describes the answers of an agent, also to a later request. */
export async function runAgent(sdk: Sdk, name: string): Promise<string> {
  const { stream, written, write, end, until } = wires(sdk);
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const connection = sdk
    .agent()
    .onRequest('initialize', () => ({ protocolVersion: 1 }))
    .onRequest('session/new', ({ params }) => (params.cwd === '/invalid' ? ({ a: 1 } as never) : { sessionId: 's' }))
    .onRequest('session/prompt', async () => {
      await finished;
      return { stopReason: 'end_turn' };
    })
    .onNotification('session/cancel', () => undefined)
    .onRequest('_echo', asIs, () => ({}))
    .onRequest('_slow', asIs, async () => {
      await finished;
      return {};
    })
    .onRequest('_throw', asIs, ({ params }) => throwIt(params))
    .onRequest('_return', asIs, ({ params }) => values[String(params)])
    .onRequest('_notify', asIs, async ({ params, client }) => {
      await client.notify('_value', { value: values[String(params)] });
      return {};
    })
    .onRequest('_ping', asIs, () => 'pong')
    .connect(stream);
  await write('{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":1}}\n');
  await until(() => written.length > 0);
  const chunks = agentScenarios[name] ?? [];
  for (const chunk of chunks) await write(chunk);
  const isOver = chunks.at(-1) === '';
  if (isOver) await end();
  else await write(ping);
  const closed = connection.closed.then(() => 'closed');
  const isPinged = (): boolean => written.some(({ id }) => id === 'ping');
  if (isOver) await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 20))]);
  if (!isOver) await Promise.race([until(isPinged), closed]);
  finish();
  if (isOver) await closed;
  // Answers of handlers that have only just finished.
  await new Promise((resolve) => setTimeout(resolve, 20));
  connection.close();
  const answers = written.slice(1).filter(({ id, method }) => id !== 'ping' && method === undefined);
  return [answersOf(answers), ...(isOver || isPinged() ? [] : ['**the connection ends**'])].join('; ');
}

/** Describes the end of the client's request, the client's own answers, and whether it reads later messages. */
export async function runClient(sdk: Sdk, name: string): Promise<string> {
  const { stream, written, write, until } = wires(sdk);
  const seen: string[] = [];
  const connection = sdk
    .client()
    .onNotification('session/update', ({ params: { update } }) => {
      const text =
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '';
      if (text === 'throw') throw new Error('failed');
      if (text === 'reject') return Promise.reject(new Error('failed'));
      seen.push(text.slice(0, 20));
      return undefined;
    })
    .onRequest('fs/read_text_file', () => ({ content: '' }))
    .connect(stream);
  let settled = 'waits';
  const asked = connection.agent.request('session/new', { cwd: '/', mcpServers: [] }).then(
    (result) => (settled = `resolves with \`${JSON.stringify(result).slice(0, 40)}\``),
    (error: unknown) => (settled = `rejects: ${(error as { readonly code?: number }).code ?? (error as Error).name}`),
  );
  await until(() => written.length > 0);
  const pinged = connection.agent.request('_ping', {}).then(
    () => true,
    () => false,
  );
  await write(clientScenarios[name] ?? '');
  await write(`{"jsonrpc":"2.0","id":1,"result":"pong"}\n`);
  const isAlive = await pinged;
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 20))]);
  connection.close();
  const answers = written.filter(({ method }) => method === undefined);
  const outcome = [
    settled,
    ...(answers.length > 0 ? [answersOf(answers)] : []),
    ...(isAlive ? [] : ['**the connection ends**']),
  ];
  return outcome.join('; ');
}

function answersOf(answers: readonly Message[]): string {
  if (answers.length === 0) return 'no answer';
  return answers
    .map(({ id, error }) => `${error ? String(error.code) : 'result'} for ${JSON.stringify(id)}`)
    .join(', ');
}
