import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import * as official from '@agentclientprotocol/sdk/experimental/v2';
import { until } from './coder-process.ts';

/** An update of a session. */
export type Update = { readonly [key: string]: unknown; readonly sessionUpdate: string };

/** An agent that the official client of version 2 drives. */
export interface Driven {
  /** The answer to `initialize`. */
  readonly introduction: unknown;
  readonly call: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<unknown>;
  readonly updates: Update[];
  /** The titles of the permission questions. */
  readonly asked: string[];
  readonly until: typeof until;
  /** Sends a prompt and waits for the end of its turn. Returns the stop reason. */
  readonly turn: (sessionId: string, text: string) => Promise<unknown>;
}

/** A command that starts an agent, and the kind of the option that its user chooses. */
export interface DrivenCommand {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Default: the user allows everything. */
  readonly answer?: 'allow_once' | 'reject_once';
  /** Answers forms and pages. Default: the client offers neither. */
  readonly elicit?: (request: Readonly<Record<string, unknown>>) => object | Promise<object>;
}

/** Starts an agent, and drives it with the official client of version 2. */
export async function drive<Value>(
  { words: [program = '', ...args], env, answer = 'allow_once', elicit }: DrivenCommand,
  work: (agent: Driven) => Promise<Value>,
): Promise<Value> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const exited = once(child, 'exit');
  const updates: Update[] = [];
  const asked: string[] = [];
  const app = official
    .client()
    .onNotification('session/update', ({ params }) => void updates.push(params.update as unknown as Update))
    .onRequest('session/request_permission', ({ params }) => {
      asked.push(params.title);
      return {
        outcome: {
          outcome: 'selected',
          optionId: params.options.find(({ kind }) => kind === answer)?.optionId ?? '',
        },
      };
    });
  if (elicit)
    app.onRequest(
      'elicitation/create',
      async ({ params }) => (await elicit({ ...params })) as { readonly action: 'cancel' },
    );
  const stream = official.ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  try {
    const { agent } = app.connect(stream);
    const call = (method: string, params: object): Promise<unknown> => agent.request(method as never, params as never);
    const turn = async (sessionId: string, text: string): Promise<unknown> => {
      const begin = updates.length;
      const prompt = [{ type: 'text', text }];
      const { messageId } = (await call('session/prompt', { sessionId, prompt })) as { readonly messageId: string };
      const end = (): Update | undefined => {
        const echo = updates.findIndex((update, at) => at >= begin && update['messageId'] === messageId);
        return echo < 0 ? undefined : updates.find((update, at) => at > echo && update['state'] === 'idle');
      };
      await until(() => end() !== undefined);
      return end()?.['stopReason'];
    };
    const capabilities = elicit ? { elicitation: { form: {}, url: {} } } : {};
    const asking = { protocolVersion: 2, info: { name: 'driver', version: '1.0.0' }, capabilities };
    const introduction = await call('initialize', asking);
    const notify = (method: string, params: object): Promise<unknown> => agent.notify(method as never, params as never);
    return await work({ introduction, call, notify, updates, asked, until, turn });
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** What the terminals of the agent have printed. */
export const output = (updates: readonly Update[]): string =>
  updates
    .map(({ data, output: whole }) => (data ?? (whole as { readonly data?: string } | undefined)?.data ?? '') as string)
    .map((data) => Buffer.from(data, 'base64').toString())
    .join('');
