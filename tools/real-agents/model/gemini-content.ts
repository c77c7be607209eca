import type { Message, Reply, Schema, Tool } from './conversation.ts';
import { type Answer, type Json, listOf, type ModelFormat, sent, textOf } from './format.ts';

/** `POST /v1beta/models/NAME:generateContent` and `:streamGenerateContent`. */
export const geminiContent: ModelFormat = {
  path: /:(generateContent|streamGenerateContent)$/,
  read: (body) => ({
    messages: listOf(body['contents']).map(readContent),
    tools: listOf(body['tools']).flatMap(({ functionDeclarations }) => listOf(functionDeclarations).map(readTool)),
    answerSchema: schemaOf(body['generationConfig'] as Json | undefined),
  }),
  isStreamed: (_, url) => url.includes(':streamGenerateContent'),
  whole: (reply, answer) => response(answer, payload(reply, answer), 'STOP'),
  events: (reply, answer) => (reply.kind === 'hang' ? [] : [sent(response(answer, payload(reply, answer), 'STOP'))]),
  more: (text, answer) => sent(response(answer, { text })),
};

function readContent({ role, parts }: Json): Message {
  const results = listOf(parts).flatMap(({ functionResponse }) => (functionResponse ? [functionResponse as Json] : []));
  const result = results.at(-1)?.['response'] as Json | undefined;
  return { isUser: role === 'user', text: textOf(parts), toolResult: result && resultText(result) };
}

function resultText({ output, error, content }: Json): string {
  const value = output ?? error ?? content ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readTool({ name, parameters, parametersJsonSchema }: Json): Tool {
  return { name: String(name), schema: parametersJsonSchema ?? parameters ?? {} };
}

function schemaOf(config: Json | undefined): Schema | undefined {
  return (config?.['responseJsonSchema'] ?? config?.['responseSchema']) as Schema | undefined;
}

function payload(reply: Reply, { number }: Answer): Json {
  return reply.kind === 'call'
    ? { functionCall: { id: `call_${number}`, name: reply.tool.name, args: reply.input } }
    : { text: reply.kind === 'text' ? reply.text : '' };
}

function response({ model, number }: Answer, part: Json, finishReason?: string): Json {
  return {
    responseId: `response-${number}`,
    modelVersion: model,
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
}
