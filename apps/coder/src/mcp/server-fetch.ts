import { restored, sheltered } from '@turnwire/machine';
import { Cookies } from '@turnwire/transports/http/node';

const longest = 16 * 1024 * 1024;
const newline = 10;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for one server. Integers above 2^53 in its JSON stay as they are. It returns the server's cookies to its exact origin, and aborts answers of more than 16 MiB: per line in a stream of
 * events, else in total.
 */
export function serverFetch({ origin }: URL): Fetch {
  const cookies = new Cookies();
  return async (url, options) => {
    const init = typeof options?.body === 'string' ? { ...options, body: restored(options.body) } : options;
    if (new URL(url).origin !== origin) return bounded(await fetch(url, init));
    const headers = new Headers(init?.headers);
    const { header } = cookies;
    if (header !== undefined && !headers.has('cookie')) headers.set('cookie', header);
    const response = await fetch(url, { ...init, headers });
    if (new URL(response.url).origin === origin) cookies.take(response);
    return bounded(response);
  };
}

function bounded(response: Response): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const body = response.body.pipeThrough(bound(isStream)).pipeThrough(exactLines(isStream));
  const answer = new Response(body, response);
  // A new response has no address, which redirects need.
  Object.defineProperty(answer, 'url', { value: response.url });
  return answer;
}

function bound(perLine: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lastBreak = perLine ? chunk.lastIndexOf(newline) : -1;
      length = lastBreak === -1 ? length + chunk.length : chunk.length - lastBreak - 1;
      if (length > longest) controller.error(new Error(`the server sent more than ${longest / 1024 / 1024} MiB`));
      else controller.enqueue(chunk);
    },
  });
}

/** Protects large integers line by line: a JSON string contains no line break. */
function exactLines(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  const exact = (line: string): string => (isStream && !line.startsWith('data:') ? line : sheltered(line));
  let rest = '';
  return new TransformStream({
    transform(bytes, controller) {
      const text = decoder.decode(bytes, { stream: true });
      const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
      const lines = rest + text.slice(0, end);
      rest = end === 0 ? lines + text : text.slice(end);
      if (end > 0) controller.enqueue(encoder.encode(lines.replaceAll(/[^\r\n]+/g, exact)));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(exact(rest + decoder.decode())));
    },
  });
}
