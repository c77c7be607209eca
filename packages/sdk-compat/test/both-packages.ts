import * as official from '@agentclientprotocol/sdk';
import * as officialV2 from '@agentclientprotocol/sdk/experimental/v2';
import * as ours from '@turnwire/sdk-compat';
import * as oursV2 from '@turnwire/sdk-compat/experimental/v2';

/** The names of this package, under which a test can run either one. */
export type Sdk = typeof ours;
export type SdkV2 = typeof oursV2;

export const bothPackages: readonly (readonly [string, Sdk])[] = [
  ['the official package', official as unknown as Sdk],
  ['this package', ours],
];

export const bothPackagesV2: readonly (readonly [string, SdkV2])[] = [
  ['the official package', officialV2 as unknown as SdkV2],
  ['this package', oursV2],
];

/** Two byte streams in memory, and the streams of messages of both ends. */
export function connectedStreams(sdk: Pick<Sdk, 'ndJsonStream'>) {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  return {
    agent: sdk.ndJsonStream(toClient.writable, toAgent.readable),
    client: sdk.ndJsonStream(toAgent.writable, toClient.readable),
  };
}

/** An end of a connection that a test writes and reads as text. */
export function scriptedEnd(sdk: Pick<Sdk, 'ndJsonStream'>) {
  const input = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    { highWaterMark: 1000 },
    { highWaterMark: 1000 },
  );
  const written: unknown[] = [];
  const decoder = new TextDecoder();
  const waiting: (() => void)[] = [];
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => {
      for (const line of decoder.decode(bytes).split('\n')) if (line !== '') written.push(JSON.parse(line));
      for (const check of waiting.splice(0)) check();
    },
  });
  const writer = input.writable.getWriter();
  return {
    stream: sdk.ndJsonStream(output, input.readable),
    written,
    /** Sends lines in one chunk. */
    send: (...lines: readonly (object | string)[]) => {
      const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
      return writer.write(new TextEncoder().encode(text));
    },
    end: () => writer.close(),
    /** Waits until this many messages were written. */
    writes: async (count: number): Promise<readonly unknown[]> => {
      while (written.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return written;
    },
  };
}

/** Runs a function during which both packages report thousands of invalid messages on stderr. */
export async function withoutReports(run: () => Promise<void>): Promise<void> {
  const { console } = globalThis;
  const { error } = console;
  console.error = () => undefined;
  try {
    await run();
  } finally {
    console.error = error;
  }
}
