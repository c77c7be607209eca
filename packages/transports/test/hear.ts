import { PassThrough } from 'node:stream';
import type { StdioLimits } from '@turnwire/transports/stdio';
import { stdioTransport } from '@turnwire/transports/stdio';
import type { Heard } from './recorder.ts';
import { Recorder } from './recorder.ts';

/** What a receiver hears when these chunks arrive one after the other, and then the end. */
export async function hear(chunks: readonly (Buffer | string)[], limits: StdioLimits = {}): Promise<readonly Heard[]> {
  return hearSlowly(chunks, () => undefined, limits);
}

/** The same with a receiver that asks to wait. */
export async function hearSlowly(
  chunks: readonly (Buffer | string)[],
  answer: (text: string) => Promise<void> | undefined,
  limits: StdioLimits = {},
): Promise<readonly Heard[]> {
  const input = new PassThrough();
  const ear = new Recorder();
  ear.answer = answer;
  stdioTransport({ ...limits, input, output: new PassThrough() }).start(ear);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await ear.untilEnd();
  return ear.heard;
}

/** The bytes cut at these positions. */
export function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const edges = [0, ...positions, bytes.length].toSorted((left, right) => left - right);
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}
