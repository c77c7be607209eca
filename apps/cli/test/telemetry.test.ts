import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { connectClient } from '@turnwire/protocol';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { OtlpExporter } from '../src/commands/serve/telemetry/otlp-exporter.ts';
import { begun, parentIn, type Span } from '../src/commands/serve/telemetry/span.ts';
import { telemetryOf } from '../src/commands/serve/telemetry/telemetry.ts';
import { startServer, wholeTurnsAgent } from './running-server.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-telemetry-')));
});
afterAll(() => rm(folder, { recursive: true }));

/** A span as OTLP writes it. */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status?: object;
}

interface Sent {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly spans: readonly SentSpan[];
  readonly resource: unknown;
}

/** A collector of OpenTelemetry, which answers with a status. */
async function collector(status = 200): Promise<{ readonly url: string; readonly sent: readonly Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { resource: unknown; scopeSpans: { spans: SentSpan[] }[] }[] };
      const [first] = resourceSpans;
      const spans = first?.scopeSpans[0]?.spans ?? [];
      sent.push({ path: request.url, headers: request.headers, spans, resource: first?.resource });
      response.writeHead(status).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

test('a server exports turns, tool calls and questions to a collector under the trace of the client', async () => {
  const { url, sent } = await collector();
  const server = await startServer(folder, ['--agent', wholeTurnsAgent()], {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
  });
  const transport = connectWebSocket(server.acp, { headers: { authorization: `Bearer ${server.token}` } });
  const peer = connectClient(transport, {
    'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }),
  });
  await peer.request('initialize', { protocolVersion: 1 });
  const { sessionId } = await peer.request('session/new', { cwd: folder, mcpServers: [] });
  const prompt = [{ type: 'text', text: 'first' }] as const;
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  await peer.request('session/prompt', { sessionId, prompt: [...prompt], _meta: { traceparent } });
  await peer.close();
  expect(await server.end()).toBe(0);
  const [{ path, headers, spans, resource }] = sent as [Sent];
  const [question, tool, turn] = spans as [SentSpan, SentSpan, SentSpan];
  const said = ({ name, attributes, parentSpanId, traceId }: SentSpan): object => ({
    name,
    traceId,
    parentSpanId,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  });
  const traceId = 'a'.repeat(32);
  expect({ path, key: headers['x-key'], resource, spans: spans.map(said) }).toEqual({
    path: '/v1/traces',
    key: 'a b',
    resource: {
      attributes: [
        { key: 'service.name', value: { stringValue: 'turnwire' } },
        { key: 'service.version', value: { stringValue: '0.1.0' } },
      ],
    },
    spans: [
      { name: 'ask permission', traceId, parentSpanId: turn.spanId, attributes: { 'turnwire.allowed': true } },
      {
        name: 'execute_tool other',
        traceId,
        parentSpanId: turn.spanId,
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'other' },
      },
      {
        name: expect.stringMatching(/^invoke_agent /),
        traceId,
        parentSpanId: 'b'.repeat(16),
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': expect.any(String),
          'gen_ai.conversation.id': sessionId,
          'turnwire.tenant': 'local',
          'turnwire.client': 'unknown',
          'turnwire.stop_reason': 'end_turn',
        },
      },
    ],
  });
  const times = [turn, tool, question].map(({ startTimeUnixNano }) => Number(startTimeUnixNano));
  expect(times.toSorted((one, other) => one - other)).toEqual(times);
});

test('a collector that refuses causes one warning and uses no memory', async () => {
  const { url, sent } = await collector(503);
  const warnings: string[] = [];
  const exporter = new OtlpExporter({ url, headers: {}, service: 's', version: '1' }, (message) =>
    warnings.push(message),
  );
  const span: Span = { ...begun('one', { from: 1, attributes: {} }), to: 2, failure: 'it fails' };
  for (let index = 0; index < 5_000; index++) exporter.add(span);
  await exporter.close();
  expect({ warnings, count: sent.flatMap(({ spans }) => spans).length, status: sent[0]?.spans[0]?.status }).toEqual({
    warnings: ['spans are lost: the collector answered 503'],
    count: 4_096,
    status: { code: 2, message: 'it fails' },
  });
});

test('without an endpoint there is no telemetry, and an invalid endpoint is refused', () => {
  const about = { version: '1', warn: () => undefined };
  expect(telemetryOf({}, about)).toBeUndefined();
  expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, about)).toBeUndefined();
  expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_SDK_DISABLED: 'true' }, about)).toBeUndefined();
  expect(() => telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, about)).toThrow(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that begins with http:// or https://, not localhost:4318/v1/traces',
  );
});

test.each([
  [`00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`, { traceId: '1'.repeat(32), spanId: '2'.repeat(16) }],
  [`00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`, 'unsampled'],
  [`00-${'0'.repeat(32)}-${'2'.repeat(16)}-01`, undefined],
  ['00-1-2-01', undefined],
  [undefined, undefined],
])('the traceparent %s is read', (traceparent, parent) => {
  expect(parentIn(traceparent)).toEqual(parent);
});
