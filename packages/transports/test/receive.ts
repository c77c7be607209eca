import { PassThrough } from 'node:stream';
import type { Transport } from '@turnwire/protocol';
import { Recorder, type Received } from '@turnwire/transports/contract';
import type { StdioLimits } from '@turnwire/transports/stdio';
import { stdioTransport } from '@turnwire/transports/stdio';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { expect } from 'vitest';

type Answer = (text: string) => Promise<void> | undefined;

/** The events of a receiver for these chunks in turn, and then the end. */
export async function receive(
  chunks: readonly (Buffer | string)[],
  limits: StdioLimits = {},
): Promise<readonly Received[]> {
  return receiveSlowly(chunks, () => undefined, limits);
}

/** The same with a receiver that asks to wait. Streams of Node and web streams must give the same result. */
export async function receiveSlowly(
  chunks: readonly (Buffer | string)[],
  answer: Answer,
  limits: StdioLimits = {},
): Promise<readonly Received[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const recorded = record(stdioTransport({ ...limits, input, output }), answer);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  const received = await recorded;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const bytes = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  expect(await record(webStreamTransport({ ...limits, readable: bytes, writable }), answer)).toEqual(received);
  await readable.cancel();
  return received;
}

async function record(transport: Transport, answer: Answer): Promise<readonly Received[]> {
  const recorder = new Recorder();
  recorder.answer = answer;
  transport.start(recorder);
  await recorder.untilEnd();
  return recorder.received;
}

/** The bytes cut at these positions. */
export function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const edges = [0, ...positions, bytes.length].toSorted((left, right) => left - right);
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}
