import { v1Unstable } from '@turnwire/protocol/unstable';
import { type FieldShapes, type FrameAbout, isThisMachine } from '@turnwire/protocol';

/** Refuses by its head what the official server refuses, and our endpoint would accept. */
export function refusalOfHead({ method, headers }: Request, maxIdLength: number): Response | undefined {
  if (method === 'GET' && !headers.get('accept')?.toLowerCase().includes('text/event-stream'))
    return textResponse(406, 'Not Acceptable');
  return tooLong('Session ID', headers.get('acp-session-id'), maxIdLength);
}

/** Refuses by its message what the official server refuses, and our endpoint would accept. */
export function refusalOfMessage(
  { headers }: Request,
  { sessionId, id, method }: FrameAbout,
  maxIdLength: number,
): Response | undefined {
  const refusal = tooLong('Session ID', sessionId, maxIdLength) ?? tooLong('Request ID', id, maxIdLength);
  if (refusal) return refusal;
  return isOfSession(method) && !headers.has('acp-session-id')
    ? textResponse(400, 'Missing Acp-Session-Id')
    : undefined;
}

function tooLong(what: string, id: unknown, maxIdLength: number): Response | undefined {
  return typeof id === 'string' && id.length > maxIdLength
    ? textResponse(400, `${what} exceeds maxIdLength (${maxIdLength})`)
    : undefined;
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
function isOfSession(method: string | undefined): boolean {
  if (method === undefined || !Object.hasOwn(v1Unstable.methods, method)) return false;
  const { side, params } = v1Unstable.methods[method as keyof typeof v1Unstable.methods];
  return side === 'agent' && (v1Unstable.shapes[params] as FieldShapes<string>)['sessionId']?.[0] === '!';
}
