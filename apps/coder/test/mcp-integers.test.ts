import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServer } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { answerTo } from './fixtures/row-mcp.mjs';
import { McpHttpServer } from './mcp-http.ts';
import { McpSession } from './mcp-session.ts';

const row = '7960607143101464576';
const program = join(fileURLToPath(new URL('fixtures/', import.meta.url)), 'row-mcp.mjs');

/** Answers as JSON, or as a stream of events. */
function rowServer(asEvents: boolean): Promise<McpHttpServer> {
  return McpHttpServer.start(
    '/mcp',
    () => undefined,
    async (request, response, body) => {
      const answer = request.method === 'POST' ? answerTo(body) : undefined;
      if (answer === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
      response.writeHead(200, { 'content-type': asEvents ? 'text/event-stream' : 'application/json' });
      response.end(asEvents ? `event: message\r\nid: 1234567890123456789\r\ndata: ${answer}\r\n\r\n` : answer);
    },
  );
}

/** The question to the user and the result for the model, for a call with a long integer. */
async function called(server: McpServer): Promise<readonly unknown[]> {
  await using session = await McpSession.open({ servers: [server], answers: [['rows__row', `{"row":${row}}`]] });
  await session.prompt('read it');
  const [{ toolCall } = { toolCall: undefined }] = session.permissions;
  return [JSON.stringify(toolCall?.content), JSON.stringify(session.model.asked.at(-1)?.prompt.at(-1))];
}

const asked = expect.stringContaining(`: ${row}`) as unknown;
const received = expect.stringContaining(`got ${row}`) as unknown;

test('integers above 2^53 pass unchanged between the model and a stdio server', async () => {
  expect(await called({ name: 'rows', command: process.execPath, args: [program], env: [] })).toEqual([
    asked,
    received,
  ]);
});

test.each([
  ['JSON', false],
  ['a stream of events', true],
])('integers above 2^53 pass unchanged over HTTP that answers with %s', async (_, asEvents) => {
  await using server = await rowServer(asEvents);
  expect(await called({ type: 'http', name: 'rows', url: server.url, headers: [] })).toEqual([asked, received]);
});
