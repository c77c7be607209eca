import { errorCodes } from '@turnwire/protocol';
import type { Edition } from '@turnwire/protocol';
import { SessionCheck } from './session-check.ts';

type Message = {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code?: number };
};

/**
 * Checks all frames of an agent, and its answers to requests, against the rules of its edition. Once the connection has agreed on another
 * version, nothing is checked.
 */
export class WireCheck {
  readonly #edition: Edition;
  readonly #report: (violation: string) => void;
  readonly #requests = new Map<string, Message>();
  readonly #sessions = new Map<string, SessionCheck>();
  /** Child sessions that were announced. The order of their messages is not checked. */
  readonly #children = new Set<string>();
  #isOtherVersion = false;

  constructor(edition: Edition, report: (violation: string) => void) {
    this.#edition = edition;
    this.#report = report;
  }

  /** A frame from the client. */
  incoming(frame: string): void {
    const message = this.#isOtherVersion ? undefined : parse(frame);
    if (message?.method === undefined) return;
    if (message.id !== undefined) this.#requests.set(JSON.stringify(message.id), message);
    const session = this.#sessions.get(sessionOf(message));
    if (message.method === 'session/prompt') session?.promptCame(JSON.stringify(message.id));
    if (message.method === 'session/cancel') session?.cancelCame();
    if (message.method === 'session/load') this.#session(sessionOf(message)).loadBegan();
  }

  /** A frame to the client. */
  outgoing(frame: string): void {
    if (this.#isOtherVersion) return;
    const message = parse(frame);
    if (message === undefined) return this.#report('a frame is not JSON');
    if (message.method === undefined) return this.#answer(message);
    this.#againstSchema(message.method, 'params', message.params ?? {});
    if (message.method === 'session/update') return this.#update(message);
    // A terminal that was created late is released even after its session has ended.
    if (message.method === 'terminal/release' || this.#children.has(sessionOf(message))) return;
    if (sessionOf(message) !== '' && !this.#sessions.has(sessionOf(message)))
      this.#report(`${message.method} for a session that was not set up`);
  }

  #answer({ id, result, error }: Message): void {
    const key = JSON.stringify(id);
    const request = this.#requests.get(key);
    this.#requests.delete(key);
    if (request?.method === undefined)
      return id === null ? undefined : this.#report(`an answer without a request: ${key}`);
    const { protocolVersion = this.#edition.protocolVersion } = request.method === 'initialize' ? (result ?? {}) : {};
    this.#isOtherVersion = protocolVersion !== this.#edition.protocolVersion;
    if (this.#isOtherVersion) return;
    if (result !== undefined) this.#againstSchema(request.method, 'result', result);
    this.#settle(request, result, error);
  }

  #settle(request: Message, result: Message['result'], error: Message['error']): void {
    const id = sessionOf(request);
    switch (request.method) {
      case 'session/new':
      case 'session/fork':
        return this.#begun(result?.['sessionId']);
      case 'session/load':
        return this.#session(id).loadEnded(result !== undefined);
      case 'session/resume':
        return result && this.#session(id).isSetUp();
      case 'session/close':
      case 'session/delete':
        if (result !== undefined) this.#sessions.delete(id);
        return;
      case 'session/prompt':
        return this.#sessions.get(id)?.promptAnswered(JSON.stringify(request.id), endOf(result, error));
      default:
    }
  }

  #begun(sessionId: unknown): void {
    if (typeof sessionId === 'string') this.#session(sessionId).isSetUp();
  }

  #update(message: Message): void {
    const session = this.#sessions.get(sessionOf(message));
    const update = message.params?.['update'] as
      | { readonly sessionUpdate: string; readonly sessionId?: string }
      | undefined;
    if (update?.sessionUpdate === 'subagent_update') this.#children.add(String(update.sessionId));
    if (this.#children.has(sessionOf(message))) return;
    if (session === undefined) this.#report(`${update?.sessionUpdate} for a session that was not set up`);
    else if (update) session.update(update);
  }

  #session(id: string): SessionCheck {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new SessionCheck(this.#report);
    this.#sessions.set(id, session);
    return session;
  }

  #againstSchema(method: string, part: 'params' | 'result', value: unknown): void {
    const { methods, checks } = this.#edition;
    const name = Object.hasOwn(methods, method) ? methods[method]?.[part] : undefined;
    if (name !== undefined && checks[name]?.(value) === false)
      this.#report(`the ${part} of ${method} do not fit the schema`);
  }
}

/** How a prompt ended: with a stop reason, with an error, or refused before its turn started. */
function endOf(result: Message['result'], error: Message['error']): unknown {
  if (error === undefined) return result?.['stopReason'];
  const { invalidRequest, invalidParams } = errorCodes;
  return error.code === invalidRequest || error.code === invalidParams ? 'refused' : 'error';
}

function sessionOf({ params }: Message): string {
  const id = params?.['sessionId'];
  return typeof id === 'string' ? id : '';
}

function parse(frame: string): Message | undefined {
  try {
    return JSON.parse(frame) as Message;
  } catch {
    return undefined;
  }
}
