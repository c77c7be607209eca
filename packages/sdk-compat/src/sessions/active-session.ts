import { type AcpContext } from '../apps/context.ts';
import type { MaybePromise, SendRequestOptions } from '../json-rpc/messages.ts';
import { UpdateQueue } from './update-queue.ts';

/** The parts of `session/new` that builders change. In version 2 `mcpServers` is optional. */
interface SessionRequest {
  cwd: string;
  mcpServers?: object[];
  additionalDirectories?: string[];
}

/** The definitions that sessions of version 1 need, of an entry of the package. */
export interface SessionTypes {
  readonly ContentBlock: { readonly type: string };
  readonly McpServer: object;
  readonly NewSessionRequest: SessionRequest;
  readonly NewSessionResponse: {
    sessionId: string;
    modes?: object | null;
    _meta?: { [key: string]: unknown } | null;
  };
  readonly PromptResponse: { stopReason: string };
  readonly SessionNotification: { sessionId: string; update: object };
}

/** An update of a session, or the end of a turn. */
export type ActiveSessionMessageOf<D extends SessionTypes> =
  | {
      /** It came as `session/update`. */
      kind: 'session_update';
      /** The whole notification. */
      notification: D['SessionNotification'];
      /** Its update. */
      update: D['SessionNotification']['update'];
    }
  | {
      /** The turn has ended. */
      kind: 'stop';
      /** The answer to `session/prompt`. */
      response: D['PromptResponse'];
      /** Why it ended. */
      stopReason: D['PromptResponse']['stopReason'];
    };

/** The text of an update, if it is text of the agent. */
interface TextChunk {
  readonly sessionUpdate?: string;
  readonly content?: { readonly type?: string; readonly text?: string };
}

/** A session whose updates are read one by one. */
export class ActiveSessionOf<D extends SessionTypes> {
  readonly #context: AcpContext;
  readonly #response: D['NewSessionResponse'];
  readonly #updates = new UpdateQueue<ActiveSessionMessageOf<D>>();
  readonly #detach: () => void;

  constructor(context: AcpContext, response: D['NewSessionResponse']) {
    this.#context = context;
    this.#response = response;
    this.#detach = context.connection.updates.attach(response.sessionId, {
      add: (notification) => this.#updates.add({ kind: 'session_update', notification, update: notification.update }),
      fail: (error) => this.#updates.fail(error),
    });
  }

  /** The id of the session. */
  get sessionId(): string {
    return this.#response.sessionId;
  }

  /** The modes that the agent offered. */
  get modes(): D['NewSessionResponse']['modes'] | undefined {
    const { modes }: { readonly modes?: unknown } = this.#response;
    return modes as D['NewSessionResponse']['modes'];
  }

  /** Extra data of the answer to `session/new`. */
  get meta(): { [key: string]: unknown } | null | undefined {
    return this.#response._meta;
  }

  /** The whole answer to `session/new`. */
  get newSessionResponse(): D['NewSessionResponse'] {
    return this.#response;
  }

  /** Sends a prompt. Its end is the result, and also the `stop` message after the last update. */
  prompt(
    prompt: string | D['ContentBlock'] | Array<D['ContentBlock']>,
    options?: SendRequestOptions,
  ): Promise<D['PromptResponse']> {
    this.#updates.clearErrors();
    const text = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    const params = { sessionId: this.sessionId, prompt: Array.isArray(text) ? text : [text] };
    const answer = this.#context.connection.request('session/prompt', params, options) as Promise<D['PromptResponse']>;
    answer.then(
      (response) => this.#updates.add({ kind: 'stop', response, stopReason: response.stopReason }),
      (error: unknown) => this.#updates.addError(error),
    );
    return answer;
  }

  /** The next update or the end of the turn. */
  nextUpdate(): Promise<ActiveSessionMessageOf<D>> {
    return this.#updates.next();
  }

  /** The text of the agent until the end of the turn. */
  async readText(): Promise<string> {
    let text = '';
    for (let message = await this.nextUpdate(); message.kind !== 'stop'; message = await this.nextUpdate()) {
      const { sessionUpdate, content } = message.update as TextChunk;
      if (sessionUpdate === 'agent_message_chunk' && content?.type === 'text') text += content.text ?? '';
    }
    return text;
  }

  /** Reads no more updates. The session itself stays open at the agent. */
  dispose(): void {
    this.#detach();
    this.#updates.fail(new Error('Active session disposed'));
  }

  /** The same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** The definitions that a builder needs. */
interface BuilderTypes {
  readonly McpServer: object;
  readonly NewSessionRequest: SessionRequest;
  readonly NewSessionResponse: object;
}

/** A session that is about to be made. */
export class SessionBuilderOf<D extends BuilderTypes, Session extends Disposable> {
  readonly #context: AcpContext;
  readonly #attach: (response: D['NewSessionResponse']) => Session;
  #request: D['NewSessionRequest'];

  constructor(
    context: AcpContext,
    request: D['NewSessionRequest'],
    attach: (response: D['NewSessionResponse']) => Session,
  ) {
    this.#context = context;
    this.#request = structuredClone(request);
    this.#attach = attach;
  }

  /** A copy of the request. */
  toRequest(): D['NewSessionRequest'] {
    return structuredClone(this.#request);
  }

  /** Replaces the additional folders. */
  withAdditionalDirectories(additionalDirectories: string[]): this {
    this.#request = { ...this.#request, additionalDirectories: [...additionalDirectories] };
    return this;
  }

  /** Adds an MCP server. */
  withMcpServer(mcpServer: D['McpServer']): this {
    this.#request = { ...this.#request, mcpServers: [...(this.#request.mcpServers ?? []), structuredClone(mcpServer)] };
    return this;
  }

  /** Starts the session. */
  async start(options?: SendRequestOptions): Promise<Session> {
    const answer = await this.#context.connection.request('session/new', this.toRequest(), options);
    return this.#attach(answer as D['NewSessionResponse']);
  }

  /** Starts the session, and stops reading its updates after the function has ended. */
  async withSession<Value>(op: (session: Session) => MaybePromise<Value>): Promise<Value> {
    using session = await this.start();
    return await op(session);
  }
}
