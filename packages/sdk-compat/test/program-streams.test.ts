import * as ours from '@turnwire/sdk-compat';
import { describe, expect, test } from 'vitest';
import { bothPackages, type Sdk } from './both-packages.ts';

const cancel = { sessionId: 's' };

/** An input that stays open, and the reason with which it was cancelled. */
function openInput(): { readonly input: ReadableStream<Uint8Array>; readonly cancelled: Promise<unknown> } {
  let cancelledWith: (reason: unknown) => void = () => undefined;
  const cancelled = new Promise((resolve) => (cancelledWith = resolve));
  return { input: new ReadableStream({ cancel: (reason) => cancelledWith(reason) }), cancelled };
}

/** An output that counts its writes, and keeps their text. */
function recordedOutput(): { readonly output: WritableStream<Uint8Array>; readonly texts: readonly string[] } {
  const texts: string[] = [];
  const output = new WritableStream<Uint8Array>({ write: (bytes) => void texts.push(new TextDecoder().decode(bytes)) });
  return { output, texts };
}

const failing = (error: Error): WritableStream<never> => new WritableStream({ write: () => Promise.reject(error) });

/** The two kinds of stream that a program may pass. */
const outputs: readonly (readonly [string, (sdk: Sdk, error: Error) => ReturnType<Sdk['ndJsonStream']>])[] = [
  ['bytes', (sdk, error) => sdk.ndJsonStream(failing(error), openInput().input)],
  ['messages', (_, error) => ({ readable: new ReadableStream(), writable: failing(error) })],
];

describe.each(bothPackages)('a program on %s', (_, sdk) => {
  test.each(outputs)('learns from its notification that a write of %s failed', async (__, streamOf) => {
    const error = new Error('write failed');
    const connection = sdk.client().connect(streamOf(sdk, error));
    await expect(connection.agent.notify('session/cancel', cancel)).rejects.toBe(error);
    connection.close();
  });

  test('has written a notification when its promise resolves, so that it may exit', async () => {
    const { output, texts } = recordedOutput();
    const connection = sdk.client().connect(sdk.ndJsonStream(output, openInput().input));
    await connection.agent.notify('session/cancel', cancel);
    const seen = texts.join('');
    connection.close();
    expect(JSON.parse(seen)).toEqual({ jsonrpc: '2.0', method: 'session/cancel', params: cancel });
  });

  test('sees the reason of a close where its input is cancelled, and can read the input again', async () => {
    const { input, cancelled } = openInput();
    const reason = new Error('enough');
    const connection = sdk.client().connect(sdk.ndJsonStream(recordedOutput().output, input));
    connection.close(reason);
    expect(await cancelled).toBe(reason);
    await connection.closed;
    await expect.poll(() => input.locked).toBe(false);
  });

  test('sees the reason where its input is cancelled if it cancels the messages itself', async () => {
    const { input, cancelled } = openInput();
    const { readable } = sdk.ndJsonStream(recordedOutput().output, input);
    const reason = new Error('enough');
    await readable.cancel(reason);
    expect(await cancelled).toBe(reason);
  });
});

test('a thousand awaited notifications leave in a few writes', async () => {
  const { output, texts } = recordedOutput();
  const connection = ours.client().connect(ours.ndJsonStream(output, openInput().input));
  for (let sent = 0; sent < 1000; sent += 1) await connection.agent.notify('session/cancel', cancel);
  // The next turn of the event loop ends the burst.
  await new Promise((resolve) => setTimeout(resolve));
  connection.close();
  expect(texts.length).toBeLessThan(100);
  expect(texts.join('').trim().split('\n')).toHaveLength(1000);
});
