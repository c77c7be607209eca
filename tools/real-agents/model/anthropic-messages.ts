import type { Message, Reply, Schema } from './conversation.ts';
import { type Answer, type Json, listOf, type ModelFormat, sent, textOf } from './format.ts';

/** `POST /v1/messages`. */
export const anthropicMessages: ModelFormat = {
  path: /\/v1\/messages$/,
  read: (body) => ({
    messages: listOf(body['messages']).map(readMessage),
    tools: listOf(body['tools']).map((tool) => ({
      name: String(tool['name']),
      schema: (tool['input_schema'] ?? {}) as Schema,
    })),
    answerSchema: schemaOf(body),
  }),
  isStreamed: (body) => body['stream'] === true,
  whole: (reply, answer) => ({ ...message(answer), content: [block(reply, answer)], stop_reason: stopReason(reply) }),
  events: (reply, answer) => {
    const start = [
      named({ type: 'message_start', message: message(answer) }),
      named({ type: 'content_block_start', index: 0, content_block: { ...block(reply, answer), ...emptied(reply) } }),
    ];
    if (reply.kind === 'hang') return start;
    return [
      ...start,
      named({ type: 'content_block_delta', index: 0, delta: delta(reply) }),
      named({ type: 'content_block_stop', index: 0 }),
      named({
        type: 'message_delta',
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: 5 },
      }),
      named({ type: 'message_stop' }),
    ];
  },
  more: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
};

function readMessage({ role, content }: Json): Message {
  const results = listOf(content).filter(({ type }) => type === 'tool_result');
  const result = results.at(-1);
  return { isUser: role === 'user', text: textOf(content), toolResult: result && textOf(result['content']) };
}

function schemaOf({ output_config: config, output_format: format }: Json): Schema | undefined {
  const wanted = (config as Json | undefined)?.['format'] ?? format;
  return (wanted as Json | undefined)?.['schema'] as Schema | undefined;
}

function message({ model, number }: Answer): Json {
  const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const id = `msg_${number}`;
  return { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
}

function block(reply: Reply, { number }: Answer): Json {
  return reply.kind === 'call'
    ? { type: 'tool_use', id: `toolu_${number}`, name: reply.tool.name, input: reply.input }
    : { type: 'text', text: reply.kind === 'text' ? reply.text : '' };
}

function emptied({ kind }: Reply): Json {
  return kind === 'call' ? { input: {} } : { text: '' };
}

function delta(reply: Exclude<Reply, { kind: 'hang' }>): Json {
  return reply.kind === 'call'
    ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) }
    : { type: 'text_delta', text: reply.text };
}

function stopReason({ kind }: Reply): string {
  return kind === 'call' ? 'tool_use' : 'end_turn';
}

function named(data: Json): string {
  return sent(data, String(data['type']));
}
