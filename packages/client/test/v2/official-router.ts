import * as officialV1 from '@agentclientprotocol/sdk';
import * as officialV2 from '@agentclientprotocol/sdk/experimental/v2';
import type { Transport } from '@turnwire/protocol';
import { officialStream } from '../../../protocol/test/v2/official-stream.ts';

/** What both official agents do with their client, whose methods have the same names in both packages. */
interface Caller {
  request(method: string, params: object, options?: object): Promise<unknown>;
  notify(method: string, params: object): Promise<unknown>;
}

type Context = { readonly params: never; readonly client: Caller };
type App = {
  onRequest(method: string, handler: (context: Context) => unknown): App;
  onNotification(method: string, handler: (context: Context) => unknown): App;
};

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const form = { type: 'object', properties: { name: { type: 'string' } } };
const pageAddress = 'https://example.org/login';
const text = (value: string): object => ({ type: 'text', text: value });

/** The parts of a turn, which each version reports in its own way. */
interface Reports {
  readonly call: (status: string) => Promise<unknown>;
  readonly say: (value: string) => Promise<unknown>;
  /** Asks for a permission. Resolves with the option, or with undefined if it was cancelled. */
  readonly permission: () => Promise<string | undefined>;
  readonly elicit: (fields: object) => Promise<unknown>;
  readonly complete: (elicitationId: string) => Promise<unknown>;
}

/** The turn of both agents. Resolves with the stop reason. */
async function work(prompt: string, { call, say, permission, elicit, complete }: Reports): Promise<string> {
  if (prompt === 'delete') {
    await call('in_progress');
    const option = await permission();
    await call(option === 'yes' ? 'completed' : 'failed');
    if (option === undefined) return 'cancelled';
    await say(option);
  }
  if (prompt === 'ask') await say(sorted(await elicit({ message: 'Who?', mode: 'form', requestedSchema: form })));
  if (prompt === 'visit') {
    const page = { message: 'Log in there', mode: 'url', elicitationId: 'page', url: pageAddress };
    await say(sorted(await elicit(page)));
    await complete('page');
  }
  return 'end_turn';
}

/** An answer as text. The two packages order its fields in their own ways. */
const sorted = (answer: unknown): string =>
  JSON.stringify(Object.entries(answer as object).toSorted(([one], [other]) => one.localeCompare(other)));

function reportsTo(client: Caller, sessionId: string): Pick<Reports, 'elicit' | 'complete'> {
  return {
    elicit: (fields) => client.request('elicitation/create', { sessionId, ...fields }),
    complete: (elicitationId) => client.notify('elicitation/complete', { elicitationId }),
  };
}

const chosen = (answer: unknown): string | undefined =>
  (answer as { readonly outcome: { readonly optionId?: string } }).outcome.optionId;

const textOf = (prompt: readonly { readonly text: string }[]): string => prompt[0]?.text ?? '';

type Prompt = { readonly sessionId: string; readonly prompt: readonly { readonly text: string }[] };

function version1(): unknown {
  const app = officialV1.agent({ name: 'official' }) as unknown as App;
  return app
    .onRequest('initialize', () => ({
      protocolVersion: 1,
      agentInfo: { name: 'official', version: '1.0.0' },
      agentCapabilities: { loadSession: true },
    }))
    .onRequest('session/new', () => ({ sessionId: 's' }))
    .onRequest('session/prompt', async ({ params, client }) => {
      const { sessionId, prompt } = params as Prompt;
      const send = (update: object): Promise<unknown> => client.notify('session/update', { sessionId, update });
      const toolCallId = 't';
      const stopReason = await work(textOf(prompt), {
        ...reportsTo(client, sessionId),
        call: (status) =>
          status === 'in_progress'
            ? send({ sessionUpdate: 'tool_call', toolCallId, title: 'Delete a.txt', kind: 'delete', status })
            : send({ sessionUpdate: 'tool_call_update', toolCallId, status }),
        say: (value) =>
          send({ sessionUpdate: 'agent_message_chunk', messageId: `to ${textOf(prompt)}`, content: text(value) }),
        permission: async () =>
          chosen(await client.request('session/request_permission', { sessionId, toolCall: { toolCallId }, options })),
      });
      return { stopReason };
    })
    .onNotification('session/cancel', () => undefined)
    .onRequest('session/load', async ({ client }) => {
      const send = (update: object): Promise<unknown> => client.notify('session/update', { sessionId: 's', update });
      await send({ sessionUpdate: 'user_message_chunk', messageId: 'u0', content: text('Hello') });
      await send({ sessionUpdate: 'agent_message_chunk', messageId: 'a0', content: text('Hi') });
      return {};
    });
}

function version2(): unknown {
  let foreground = new AbortController();
  let prompts = 0;
  const turn = async (client: Caller, { sessionId, prompt }: Prompt): Promise<void> => {
    const { signal } = foreground;
    const send = (update: object): Promise<unknown> => client.notify('session/update', { sessionId, update });
    const toolCallId = 't';
    await send({ sessionUpdate: 'state_update', state: 'running' });
    const stopReason = await work(textOf(prompt), {
      ...reportsTo(client, sessionId),
      call: (status) =>
        send({
          ...{ sessionUpdate: 'tool_call_update', toolCallId, status },
          ...(status === 'in_progress' && { title: 'Delete a.txt', kind: 'delete' }),
        }),
      say: (value) =>
        send({ sessionUpdate: 'agent_message', messageId: `to ${textOf(prompt)}`, content: [text(value)] }),
      permission: async () => {
        const subject = { type: 'tool_call', toolCall: { toolCallId } };
        const asked = { sessionId, title: 'Delete it?', subject, options };
        const answer = client.request('session/request_permission', asked, { cancellationSignal: signal });
        return answer.then(chosen, () => undefined);
      },
    });
    await send({ sessionUpdate: 'state_update', state: 'idle', stopReason });
  };
  const app = officialV2.agent() as unknown as App;
  return app
    .onRequest('initialize', () => ({
      protocolVersion: 2,
      info: { name: 'official', version: '2.0.0' },
      capabilities: { session: {} },
    }))
    .onRequest('session/new', () => ({ sessionId: 's' }))
    .onRequest('session/prompt', async ({ params, client }) => {
      const prompt = params as Prompt;
      const messageId = `u${++prompts}`;
      const update = { sessionUpdate: 'user_message', messageId, content: prompt.prompt };
      await client.notify('session/update', { sessionId: prompt.sessionId, update });
      foreground = new AbortController();
      setTimeout(() => void turn(client, prompt), 0);
      return { messageId };
    })
    .onNotification('session/cancel', () => foreground.abort())
    .onRequest('session/resume', async ({ client }) => {
      const send = (update: object): Promise<unknown> => client.notify('session/update', { sessionId: 's', update });
      await send({ sessionUpdate: 'user_message', messageId: 'u0', content: [text('Hello')] });
      await send({ sessionUpdate: 'agent_message', messageId: 'a0', content: [] });
      await send({ sessionUpdate: 'agent_message_chunk', messageId: 'a0', content: text('Hi') });
      await send({ sessionUpdate: 'replay_complete' });
      await send({ sessionUpdate: 'state_update', state: 'idle' });
      return {};
    });
}

/** Serves official agents of these versions behind the official router. */
export function serveOfficialRouter(transport: Transport, versions: readonly (1 | 2)[]): void {
  const router = officialV2.agentProtocolRouter();
  if (versions.includes(1)) router.withV1(version1() as never);
  if (versions.includes(2)) router.withV2(version2() as never);
  router.connect(officialStream(transport));
}
