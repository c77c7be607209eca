import { v1Unstable } from '@turnwire/protocol/unstable';
import type { FieldShapes } from '@turnwire/protocol';
import { isThisMachine } from '@turnwire/transports/http';

/** The fields of a message that the rules read. */
export interface PostedMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly sessionId?: unknown } | null;
}

/** The body of a POST as an object. Undefined for anything else: our endpoint answers that with an error. */
export function readMessage(body: string): PostedMessage | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Refuses what the official server refuses, and our endpoint would accept. */
export function refusalOf(
  { method, headers }: Request,
  message: PostedMessage | undefined,
  maxIdLength: number,
): Response | undefined {
  if (method === 'GET' && !headers.get('accept')?.toLowerCase().includes('text/event-stream'))
    return textResponse(406, 'Not Acceptable');
  const session = headers.get('acp-session-id');
  const tooLong = tooLongId(session, message, maxIdLength);
  if (tooLong) return textResponse(400, `${tooLong} exceeds maxIdLength (${maxIdLength})`);
  if (session === null && isOfSession(message?.method)) return textResponse(400, 'Missing Acp-Session-Id');
  return undefined;
}

function tooLongId(
  session: string | null,
  message: PostedMessage | undefined,
  maxIdLength: number,
): string | undefined {
  const isTooLong = (id: unknown): boolean => typeof id === 'string' && id.length > maxIdLength;
  if (isTooLong(session) || isTooLong(message?.params?.sessionId)) return 'Session ID';
  return isTooLong(message?.id) ? 'Request ID' : undefined;
}

/**
 * Whether a page of another machine sent the request, to a server that is addressed as this machine. Any site can make a browser do that,
 * and the official server would run its prompts.
 * @param origin the header of that name: only pages send it. `null`: a page that hides where it comes from
 */
export function isForeignPage(host: string, origin: string | null | undefined): boolean {
  if (origin === null || origin === undefined || !isOnThisMachine(`http://${host}`)) return false;
  // Pages of programs, such as `vscode-webview:`, are not on any site.
  return origin === 'null' || (/^https?:/.test(origin) && !isOnThisMachine(origin));
}

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && isThisMachine(new URL(url).hostname);
}

/** The answer to `initialize` if the program could not make an agent. */
export function initializeFailed(id: unknown, error: unknown): Response {
  const data = error instanceof Error ? error.message : undefined;
  return Response.json(
    { jsonrpc: '2.0', id, error: { code: -32603, message: 'Initialize failed', data } },
    { status: 500 },
  );
}

export function textResponse(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain' } });
}

/** Whether the parameters of an agent's method must name a session. */
function isOfSession(method: unknown): boolean {
  if (typeof method !== 'string' || !Object.hasOwn(v1Unstable.methods, method)) return false;
  const { side, params } = v1Unstable.methods[method as keyof typeof v1Unstable.methods];
  return side === 'agent' && (v1Unstable.shapes[params] as FieldShapes<string>)['sessionId']?.[0] === '!';
}
