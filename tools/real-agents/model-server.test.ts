import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from './model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await ModelServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());

const parameters = {
  type: 'object',
  properties: { file_path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'string' } },
  required: ['file_path', 'content'],
};

/** A question with one tool, and the result of that tool, in each format. */
const formats = [
  {
    path: '/v1/messages',
    asked: (text: string) => ({
      messages: [{ role: 'user', content: text }],
      tools: [{ name: 'Write', input_schema: parameters }],
    }),
    answered: (text: string, result: string) => ({
      messages: [
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'Write', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: result }] },
      ],
      tools: [{ name: 'Write', input_schema: parameters }],
    }),
  },
  {
    path: '/v1/responses',
    asked: (text: string) => ({
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
      tools: [{ type: 'function', name: 'write_file', parameters }],
    }),
    answered: (text: string, result: string) => ({
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        { type: 'function_call', call_id: '1', name: 'write_file', arguments: '{}' },
        { type: 'function_call_output', call_id: '1', output: result },
      ],
      tools: [{ type: 'function', name: 'write_file', parameters }],
    }),
  },
  {
    path: '/v1/chat/completions',
    asked: (text: string) => ({
      messages: [{ role: 'user', content: text }],
      tools: [{ type: 'function', function: { name: 'write', parameters } }],
    }),
    answered: (text: string, result: string) => ({
      messages: [
        { role: 'user', content: text },
        { role: 'tool', tool_call_id: '1', content: result },
      ],
      tools: [{ type: 'function', function: { name: 'write', parameters } }],
    }),
  },
  {
    path: '/v1beta/models/m:generateContent',
    asked: (text: string) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      tools: [{ functionDeclarations: [{ name: 'write_file', parametersJsonSchema: parameters }] }],
    }),
    answered: (text: string, result: string) => ({
      contents: [
        { role: 'user', parts: [{ text }] },
        { role: 'user', parts: [{ functionResponse: { name: 'write_file', response: { output: result } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'write_file', parametersJsonSchema: parameters }] }],
    }),
  },
];

describe.each(formats)('the scripted model at $path', ({ path, asked, answered }) => {
  it('says the text of a say instruction', async () => {
    expect(await answer(path, asked('script: say good morning'))).toContain('good morning');
  });

  it('calls the writing tool with its required parameters', async () => {
    const body = await answer(path, asked('script: write /tmp/a.txt some text'));
    expect(argumentsIn(JSON.parse(body))).toEqual({ file_path: '/tmp/a.txt', content: 'some text' });
  });

  it('reports the result of the tool', async () => {
    const body = await answer(path, answered('script: write /tmp/a.txt some text', 'written'));
    expect(body).toContain('done: written');
  });
});

describe('the scripted model', () => {
  it('sends an endless reply until the request is closed', async () => {
    const stop = new AbortController();
    const response = await post(
      '/v1/chat/completions',
      { ...formats[2]!.asked('script: hang'), stream: true },
      stop.signal,
    );
    let heard = '';
    for await (const chunk of response.body!) {
      heard += Buffer.from(chunk).toString();
      if (heard.split('working').length > 3) break;
    }
    stop.abort();
    expect(heard).not.toContain('[DONE]');
  });

  it('streams the same answer', async () => {
    const response = await post('/v1/messages', { ...formats[0]!.asked('script: say in pieces'), stream: true });
    const events = (await response.text()).split('\n').filter((line) => line.startsWith('event: '));
    expect(events.map((line) => line.slice(7))).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('answers a prompt without an instruction', async () => {
    expect(await answer('/v1/messages', formats[0]!.asked('hello'))).toContain('no instruction');
  });

  it('lists the offered tools if none fits', async () => {
    expect(await answer('/v1/messages', formats[0]!.asked('script: run ls'))).toContain('no tool to run among Write');
  });

  it('records its requests', async () => {
    await answer('/v1/messages', formats[0]!.asked('hello'));
    expect(server.requests.at(-1)).toMatchObject({ path: '/v1/messages', reply: { kind: 'text' } });
  });
});

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });
}

async function answer(path: string, body: unknown): Promise<string> {
  return (await post(path, body)).text();
}

/** The arguments of the tool call in an answer of any format: an object, or one encoded as text. */
function argumentsIn(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('{"file_path"') ? JSON.parse(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('file_path' in value) return value;
  return Object.values(value).map(argumentsIn).find(Boolean);
}
