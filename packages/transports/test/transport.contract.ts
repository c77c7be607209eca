import { setTimeout as delay } from 'node:timers/promises';
import type { Transport } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { burstFrame, order } from './far-end.ts';
import type { Heard } from './recorder.ts';
import { Recorder } from './recorder.ts';

/** One end to test; the other runs `runFarEnd`. */
export interface Opened {
  readonly near: Transport;
  /** Frees what the other end holds. */
  readonly dispose: () => Promise<void>;
}

const mebibyte = 1024 * 1024;
const texts = [
  JSON.stringify({ text: 'grüße, 世界, 🧑‍💻, \u2028\u2029\u0000, line\nbreak\r\n, \uFEFF' }),
  '{"text":"\u2028\u2029 raw separators, which are no newlines"}',
  '{"lone":"\\ud800"}',
  `{"deep":${'['.repeat(1000)}${']'.repeat(1000)}}`,
];

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => JSON.stringify({ jsonrpc: '2.0', id: index }));
}

function burst(count: number, size: number): string[] {
  return Array.from({ length: count }, (_, index) => burstFrame(index, size));
}

/** What every transport must do. A new transport is one call to this. */
export function transportContract(name: string, open: () => Promise<Opened>): void {
  /** Opens a pair, runs the test, and frees both ends whatever happened. */
  async function withFarEnd(run: (near: Transport, ear: Recorder) => Promise<void>): Promise<void> {
    const { near, dispose } = await open();
    const ear = new Recorder();
    near.start(ear);
    try {
      await run(near, ear);
    } finally {
      await near[Symbol.asyncDispose]();
      await dispose();
    }
  }

  /** Sends the frames, waiting whenever the transport asks to, and returns what comes back. */
  async function echoesOf(frames: readonly string[]): Promise<readonly Heard[]> {
    let heard: readonly Heard[] = [];
    await withFarEnd(async (near, ear) => {
      for (const frame of frames) await near.send(frame);
      await ear.untilFrames(frames.length);
      heard = [...ear.heard];
    });
    return heard;
  }

  describe(`${name} transport`, () => {
    test.each<[kind: string, frames: readonly string[]]>([
      ['one frame', ['{"jsonrpc":"2.0","id":1,"method":"initialize"}']],
      ['many frames in order', numbered(20_000)],
      ['frames with almost nothing in them', ['{}', '[]', '{"":""}', '[{}]', '{"a":null}']],
      ['every kind of text unchanged', texts],
      ['frames of a megabyte', [burstFrame(0, mebibyte), '{"between":1}', ...burst(3, mebibyte)]],
    ])('carries %s there and back', async (_kind, frames) => {
      expect(await echoesOf(frames)).toEqual(frames.map((frame) => ({ frame })));
    });

    test('delivers nothing from inside send', () =>
      withFarEnd(async (near, ear) => {
        void near.send('{"early":true}');
        expect(ear.heard).toEqual([]);
        await ear.untilFrames(1);
        expect(ear.heard).toEqual([{ frame: '{"early":true}' }]);
      }));

    test('carries both directions at once without mixing up either', () =>
      withFarEnd(async (near, ear) => {
        void near.send(order({ do: 'burst', count: 5000, size: 500 }));
        for (const frame of numbered(5000)) await near.send(frame);
        await ear.untilFrames(10_000);
        const isEcho = (frame: string): boolean => frame.includes('jsonrpc');
        expect(ear.frames.filter((frame) => isEcho(frame))).toEqual(numbered(5000));
        expect(ear.frames.filter((frame) => !isEcho(frame))).toEqual(burst(5000, 500));
      }));

    test('still receives answers after its own side is closed', () =>
      withFarEnd(async (near, ear) => {
        void near.send('{"request":1}');
        await near.close();
        await ear.untilEnd();
        expect(ear.heard).toEqual([
          { frame: '{"request":1}' },
          { frame: '{"ended":true,"received":1}' },
          { end: undefined },
        ]);
      }));

    test('writes out everything that is queued before it closes', () =>
      withFarEnd(async (near, ear) => {
        void near.send(order({ do: 'mute' }));
        for (const frame of burst(5000, 200)) void near.send(frame);
        await near.close();
        await ear.untilEnd();
        expect(ear.heard).toEqual([{ frame: '{"ended":true,"received":5001}' }, { end: undefined }]);
      }));

    test('closes as often as it is asked to', () =>
      withFarEnd(async (near, ear) => {
        await Promise.all([near.close(), near.close()]);
        await near.close();
        await ear.untilEnd();
        expect(ear.heard).toEqual([{ frame: '{"ended":true,"received":0}' }, { end: undefined }]);
      }));

    test('drops what is sent after it is closed', () =>
      withFarEnd(async (near, ear) => {
        await near.close();
        expect(near.send('{"late":true}')).toBeUndefined();
        await ear.untilEnd();
        expect(near.send('{"later":true}')).toBeUndefined();
        expect(ear.heard).toEqual([{ frame: '{"ended":true,"received":0}' }, { end: undefined }]);
      }));

    test('ends once and last when the other side closes', () =>
      withFarEnd(async (near, ear) => {
        void near.send(order({ do: 'burst', count: 3000, size: 100 }));
        void near.send(order({ do: 'close' }));
        await ear.untilEnd();
        await near.close();
        await delay(20);
        expect(ear.heard).toEqual([...burst(3000, 100).map((frame) => ({ frame })), { end: undefined }]);
      }));

    test('ends, saying so, when this side disposes of it', () =>
      withFarEnd(async (near, ear) => {
        void near.send('{"seen":true}');
        await ear.untilFrames(1);
        await near.send(order({ do: 'hold', milliseconds: 50 }));
        await near[Symbol.asyncDispose]();
        await ear.untilEnd();
        await delay(100);
        expect(ear.heard).toEqual([
          { frame: '{"seen":true}' },
          { end: 'connection-closed: this side disposed of the transport' },
        ]);
      }));

    test('asks the sender to wait when the other side does not read, and loses nothing', () =>
      withFarEnd(async (near, ear) => {
        void near.send(order({ do: 'mute' }));
        void near.send(order({ do: 'hold', milliseconds: 100 }));
        const frame = burstFrame(0, 100_000);
        let sent = 0;
        let room: Promise<void> | undefined;
        while (room === undefined && sent < 10_000) {
          room = near.send(frame);
          sent += 1;
        }
        expect(room).toBeInstanceOf(Promise);
        expect(near.send(frame)).toBe(room);
        await room;
        void near.send(order({ do: 'count' }));
        await ear.untilFrames(1);
        expect(ear.heard).toEqual([{ frame: JSON.stringify({ received: sent + 4 }) }]);
      }));

    test('a loop of awaited sends makes headway', () =>
      withFarEnd(async (near, ear) => {
        void near.send(order({ do: 'mute' }));
        for (const frame of burst(50_000, 100)) await near.send(frame);
        await near.send(order({ do: 'count' }));
        await ear.untilFrames(1);
        expect(ear.heard).toEqual([{ frame: '{"received":50002}' }]);
      }));

    test('delivers nothing while the receiver asks it to wait, and everything in order afterwards', () =>
      withFarEnd(async (near, ear) => {
        const gates: (() => void)[] = [];
        ear.answer = () => (ear.frameCount % 1000 === 1 ? new Promise((resolve) => gates.push(resolve)) : undefined);
        void near.send(order({ do: 'burst', count: 3000, size: 300 }));
        for (const held of [1, 1001, 2001]) {
          await ear.untilFrames(held);
          await delay(20);
          expect(ear.frameCount).toBe(held);
          gates.shift()?.();
        }
        await ear.untilFrames(3000);
        expect(ear.heard).toEqual(burst(3000, 300).map((frame) => ({ frame })));
      }));

    test('a receiver that takes its time over every frame gets them one by one', () =>
      withFarEnd(async (near, ear) => {
        let running = 0;
        let most = 0;
        ear.answer = async () => {
          most = Math.max(most, (running += 1));
          await Promise.resolve();
          running -= 1;
        };
        void near.send(order({ do: 'burst', count: 2000, size: 100 }));
        void near.send(order({ do: 'close' }));
        await ear.untilEnd();
        expect({ most, heard: ear.heard }).toEqual({
          most: 1,
          heard: [...burst(2000, 100).map((frame) => ({ frame })), { end: undefined }],
        });
      }));

    test('ends only after the frame the receiver is busy with', () =>
      withFarEnd(async (near, ear) => {
        let open: () => void = () => undefined;
        ear.answer = () => new Promise((resolve) => (open = resolve));
        void near.send('{"last":true}');
        await near.close();
        await ear.untilFrames(1);
        await delay(50);
        expect(ear.heard).toEqual([{ frame: '{"last":true}' }]);
        ear.answer = () => undefined;
        open();
        await ear.untilEnd();
        expect(ear.heard).toEqual([
          { frame: '{"last":true}' },
          { frame: '{"ended":true,"received":1}' },
          { end: undefined },
        ]);
      }));
  });

  test(`${name} transport keeps what arrives before it is started`, async () => {
    const { near, dispose } = await open();
    void near.send('{"first":1}');
    void near.send(order({ do: 'close' }));
    await delay(100);
    const ear = new Recorder();
    near.start(ear);
    expect(ear.heard).toEqual([]);
    await ear.untilEnd();
    expect(ear.heard).toEqual([{ frame: '{"first":1}' }, { end: undefined }]);
    await near[Symbol.asyncDispose]();
    await dispose();
  });
}
