const longest = 16 * 1024 * 1024;
const newline = 10;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Fetches, and aborts answers of more than 16 MiB: per line in a stream of events, else in total. */
export const boundedFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const bounded = new Response(response.body.pipeThrough(bound(isStream)), response);
  // A new response has no address, and redirects need its origin.
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
};

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
