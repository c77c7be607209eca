import type { Message, Reply, Schema, Tool } from './conversation.ts';
import { type Answer, type Json, listOf, type ModelFormat, sent, textOf } from './format.ts';

/** `POST /chat/completions`. */
export const openaiChat: ModelFormat = {
  path: /\/chat\/completions$/,
  read: (body) => ({
    messages: listOf(body['messages']).map(readMessage),
    tools: listOf(body['tools']).map(readTool),
    answerSchema: schemaOf(body['response_format'] as Json | undefined),
  }),
  isStreamed: (body) => body['stream'] === true,
  whole: (reply, answer) => ({
    ...head(answer, 'chat.completion'),
    choices: [
      { index: 0, message: { role: 'assistant', ...payload(reply, answer) }, finish_reason: finishReason(reply) },
    ],
    usage,
  }),
  events: (reply, answer) => {
    const start = [chunk(answer, { role: 'assistant', content: '' })];
    if (reply.kind === 'hang') return start;
    return [
      ...start,
      chunk(answer, payload(reply, answer)),
      chunk(answer, {}, finishReason(reply)),
      sent({ ...head(answer, 'chat.completion.chunk'), choices: [], usage }),
      sent('[DONE]'),
    ];
  },
  more: (text, answer) => chunk(answer, { content: text }),
};

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function readMessage({ role, content }: Json): Message {
  const text = textOf(content);
  return { isUser: role === 'user', text, toolResult: role === 'tool' ? text : undefined };
}

function readTool({ function: declared }: Json): Tool {
  const { name, parameters } = declared as { readonly name: string; readonly parameters?: Schema };
  return { name, schema: parameters ?? {} };
}

function schemaOf(format: Json | undefined): Schema | undefined {
  return (format?.['json_schema'] as Json | undefined)?.['schema'] as Schema | undefined;
}

function head({ model, number }: Answer, object: string): Json {
  return { id: `chatcmpl-${number}`, object, created: 1, model };
}

function payload(reply: Reply, { number }: Answer): Json {
  if (reply.kind !== 'call') return { content: reply.kind === 'text' ? reply.text : '' };
  const call = { name: reply.tool.name, arguments: JSON.stringify(reply.input) };
  return { content: null, tool_calls: [{ index: 0, id: `call_${number}`, type: 'function', function: call }] };
}

function finishReason({ kind }: Reply): string {
  return kind === 'call' ? 'tool_calls' : 'stop';
}

function chunk(answer: Answer, delta: Json, finish: string | null = null): string {
  return sent({
    ...head(answer, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
}
