import { Duplex } from 'node:stream';
import { setImmediate as afterTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batch } from '../../src/websocket/node/batch.ts';

/** A socket that records each write to the operating system. */
function recordingWire(): { readonly wire: Duplex; readonly calls: number[] } {
  const calls: number[] = [];
  const wire = new Duplex({
    read: () => undefined,
    writev: (chunks, done) => {
      calls.push(chunks.length);
      done();
    },
  });
  return { wire, calls };
}

function send(wire: Duplex, bytes: number): void {
  batch(wire);
  wire.write(Buffer.alloc(bytes));
}

test('frames of one tick are written in one call, those of the next tick in another', async () => {
  const { wire, calls } = recordingWire();
  for (let frame = 0; frame < 20; frame++) send(wire, 100);
  expect(calls).toEqual([]);
  await afterTick();
  for (let frame = 0; frame < 3; frame++) send(wire, 100);
  await afterTick();
  expect(calls).toEqual([20, 3]);
});

test('a batch of 64 KiB leaves before its tick is over', async () => {
  const { wire, calls } = recordingWire();
  for (let frame = 0; frame < 10; frame++) send(wire, 20_000);
  expect(calls).toEqual([4, 4]);
  await afterTick();
  expect(calls).toEqual([4, 4, 2]);
});
