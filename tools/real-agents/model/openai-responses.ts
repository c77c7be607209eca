import type { Message, Reply, Schema, Tool } from './conversation.ts';
import { type Answer, type Json, listOf, type ModelFormat, sent, textOf } from './format.ts';

/** `POST /responses`. */
export const openaiResponses: ModelFormat = {
  path: /\/responses$/,
  read: (body) => ({
    messages: typeof body['input'] === 'string' ? [said(body['input'])] : listOf(body['input']).map(readItem),
    tools: listOf(body['tools']).flatMap(readTool),
    answerSchema: ((body['text'] as Json | undefined)?.['format'] as Json | undefined)?.['schema'] as
      | Schema
      | undefined,
  }),
  isStreamed: (body) => body['stream'] === true,
  whole: (reply, answer) => response(answer, [item(reply, answer)]),
  events: (reply, answer) => {
    const done = item(reply, answer);
    const place = { output_index: 0, item_id: done['id'] };
    const start = [
      named({ type: 'response.created', response: response(answer) }),
      named({ type: 'response.output_item.added', output_index: 0, item: { ...done, ...emptied(reply) } }),
      ...(reply.kind === 'call' ? [] : [part('response.content_part.added', place, '')]),
    ];
    if (reply.kind === 'hang') return start;
    return [
      ...start,
      ...content(reply, place),
      named({ type: 'response.output_item.done', output_index: 0, item: done }),
      named({ type: 'response.completed', response: response(answer, [done]) }),
    ];
  },
  more: (delta, { number }) =>
    named({ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: `item_${number}`, delta }),
};

function said(text: string): Message {
  return { isUser: true, text };
}

function readItem({ type, role, content, output }: Json): Message {
  const isResult = type === 'function_call_output' || type === 'custom_tool_call_output';
  const result = typeof output === 'string' ? output : textOf(output);
  return { isUser: role === 'user', text: textOf(content), toolResult: isResult ? result : undefined };
}

function readTool({ type, name, parameters, tools }: Json): readonly Tool[] {
  if (Array.isArray(tools)) return listOf(tools).flatMap(readTool);
  if (typeof name !== 'string') return [];
  return [{ name, schema: parameters ?? {}, ...(type === 'custom' && { isFreeform: true }) }];
}

function response({ model, number }: Answer, output?: readonly Json[]): Json {
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  const state = output ? { status: 'completed', usage } : { status: 'in_progress' };
  return { id: `resp_${number}`, object: 'response', created_at: 1, model, output: output ?? [], ...state };
}

function item(reply: Reply, { number }: Answer): Json {
  const id = `item_${number}`;
  if (reply.kind !== 'call') {
    const text = reply.kind === 'text' ? reply.text : '';
    return { id, type: 'message', role: 'assistant', status: 'completed', content: [outputText(text)] };
  }
  const call = { id, call_id: `call_${number}`, name: reply.tool.name, status: 'completed' };
  return reply.tool.isFreeform
    ? { ...call, type: 'custom_tool_call', input: reply.input }
    : { ...call, type: 'function_call', arguments: JSON.stringify(reply.input) };
}

function emptied(reply: Reply): Json {
  const status = 'in_progress';
  if (reply.kind !== 'call') return { status, content: [] };
  return reply.tool.isFreeform ? { status, input: '' } : { status, arguments: '' };
}

function content(reply: Exclude<Reply, { kind: 'hang' }>, place: Json): readonly string[] {
  if (reply.kind === 'text') {
    const { text } = reply;
    return [
      named({ type: 'response.output_text.delta', ...place, content_index: 0, delta: text }),
      named({ type: 'response.output_text.done', ...place, content_index: 0, text }),
      part('response.content_part.done', place, text),
    ];
  }
  const input = reply.tool.isFreeform ? String(reply.input) : JSON.stringify(reply.input);
  const kind = reply.tool.isFreeform ? 'custom_tool_call_input' : 'function_call_arguments';
  const whole = reply.tool.isFreeform ? { input } : { arguments: input };
  return [
    named({ type: `response.${kind}.delta`, ...place, delta: input }),
    named({ type: `response.${kind}.done`, ...place, ...whole }),
  ];
}

function part(type: string, place: Json, text: string): string {
  return named({ type, ...place, content_index: 0, part: outputText(text) });
}

function outputText(text: string): Json {
  return { type: 'output_text', text, annotations: [] };
}

function named(data: Json): string {
  return sent(data, String(data['type']));
}
