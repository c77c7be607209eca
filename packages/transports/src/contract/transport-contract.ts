import type { Transport } from '@turnwire/protocol';
import { burstFrame, order } from './far-end.ts';
import type { Received } from './recorder.ts';
import { Recorder } from './recorder.ts';
import { same } from './same.ts';

/** One end to test. The other end runs `runFarEnd`. */
export interface Opened {
  readonly near: Transport;
  /** The result of `runFarEnd`, if the other end runs in this process: needed when one side cannot be closed alone. */
  readonly farEnd?: Promise<number>;
  /** Frees the other end. */
  readonly dispose: () => Promise<void>;
}

/** Features that some transports lack. */
export interface TransportFeatures {
  /** One side can be closed while the other still sends. Default true; false for a WebSocket. */
  readonly halfClose?: boolean;
}

/** A requirement for every transport. */
export interface ContractCase {
  readonly name: string;
  /** Rejects with the difference if the requirement is not met. Opens a fresh pair with `open`, and frees it. */
  readonly run: (open: () => Promise<Opened>) => Promise<void>;
}

type Check = (near: Transport, recorder: Recorder, opened: Opened) => Promise<void>;

const mebibyte = 1024 * 1024;
const texts = [
  JSON.stringify({ text: 'grüße, 世界, 🧑‍💻, \u2028\u2029\u0000, line\nbreak\r\n, \uFEFF' }),
  '{"text":"\u2028\u2029 raw separators, which are no newlines"}',
  '{"lone":"\\ud800"}',
  `{"deep":${'['.repeat(1000)}${']'.repeat(1000)}}`,
];
const echoes: readonly (readonly [kind: string, frames: readonly string[]])[] = [
  ['one frame', ['{"jsonrpc":"2.0","id":1,"method":"initialize"}']],
  ['many frames in order', numbered(20_000)],
  ['frames with almost nothing in them', ['{}', '[]', '{"":""}', '[{}]', '{"a":null}']],
  ['every kind of text unchanged', texts],
  ['frames of a megabyte', [burstFrame(0, mebibyte), '{"between":1}', ...burst(3, mebibyte)]],
];

/**
 * The requirements for every transport, as named cases for any test runner.
 *
 * @example
 * for (const { name, run } of transportContract()) {
 *   test(name, () => run(async () => {
 *     const [near, far] = memoryPair();
 *     const farEnd = runFarEnd(far);
 *     return { near, farEnd, dispose: async () => far[Symbol.asyncDispose]() };
 *   }));
 * }
 */
export function transportContract({ halfClose = true }: TransportFeatures = {}): readonly ContractCase[] {
  return [...carrying, ...closing(halfClose), ...ending, ...waiting, ...(halfClose ? afterClosing : [])];
}

const carrying: readonly ContractCase[] = [
  ...echoes.map(([kind, frames]) =>
    withFarEnd(`carries ${kind} there and back`, async (near, recorder) => {
      for (const frame of frames) await near.send(frame);
      await recorder.untilFrames(frames.length);
      same(
        recorder.received,
        frames.map((frame) => ({ frame })),
      );
    }),
  ),

  withFarEnd('delivers nothing from inside send', async (near, recorder) => {
    void near.send('{"early":true}');
    same(recorder.received, []);
    await recorder.untilFrames(1);
    same(recorder.received, [{ frame: '{"early":true}' }]);
  }),

  withFarEnd('carries both directions at once without mixing up either', async (near, recorder) => {
    void near.send(order({ do: 'burst', count: 5000, size: 500 }));
    for (const frame of numbered(5000)) await near.send(frame);
    await recorder.untilFrames(10_000);
    const isEcho = (frame: string): boolean => frame.includes('jsonrpc');
    same(
      recorder.frames.filter((frame) => isEcho(frame)),
      numbered(5000),
    );
    same(
      recorder.frames.filter((frame) => !isEcho(frame)),
      burst(5000, 500),
    );
  }),

  {
    name: 'keeps frames that arrive before it is started',
    run: async (open) => {
      const { near, dispose } = await open();
      const recorder = new Recorder();
      try {
        void near.send('{"first":1}');
        void near.send(order({ do: 'close' }));
        await delay(100);
        near.start(recorder);
        same(recorder.received, []);
        await recorder.untilEnd();
        same(recorder.received, [{ frame: '{"first":1}' }, { end: null }]);
      } finally {
        await near[Symbol.asyncDispose]();
        await dispose();
      }
    },
  },
];

/** The cases about closing. Frames that the other end sends after its end only arrive over a transport with half close. */
function closing(halfClose: boolean): readonly ContractCase[] {
  const ended = async (recorder: Recorder, { farEnd }: Opened, received: number): Promise<void> => {
    await recorder.untilEnd();
    same(recorder.received, [
      ...(halfClose ? [{ frame: JSON.stringify({ ended: true, received }) }] : []),
      { end: null },
    ]);
    if (farEnd !== undefined) same(await farEnd, received);
    else if (!halfClose) throw new Error('without halfClose the contract needs farEnd, to know what was received');
  };
  return [
    withFarEnd('writes out everything that is queued before it closes', async (near, recorder, opened) => {
      void near.send(order({ do: 'mute' }));
      for (const frame of burst(5000, 200)) void near.send(frame);
      await near.close();
      await ended(recorder, opened, 5001);
    }),

    withFarEnd('can be closed more than once', async (near, recorder, opened) => {
      await Promise.all([near.close(), near.close()]);
      await near.close();
      await ended(recorder, opened, 0);
    }),

    withFarEnd('drops frames that are sent after it is closed', async (near, recorder, opened) => {
      await near.close();
      same(near.send('{"late":true}'), undefined);
      await recorder.untilEnd();
      same(near.send('{"later":true}'), undefined);
      await ended(recorder, opened, 0);
    }),
  ];
}

const ending: readonly ContractCase[] = [
  withFarEnd('ends once and last when the other side closes', async (near, recorder) => {
    void near.send(order({ do: 'burst', count: 3000, size: 100 }));
    void near.send(order({ do: 'close' }));
    await recorder.untilEnd();
    await near.close();
    await delay(20);
    same(recorder.received, [...received(burst(3000, 100)), { end: null }]);
  }),

  withFarEnd('ends with a reason when this side disposes of it', async (near, recorder) => {
    void near.send('{"seen":true}');
    await recorder.untilFrames(1);
    await near.send(order({ do: 'hold', milliseconds: 50 }));
    await near[Symbol.asyncDispose]();
    await recorder.untilEnd();
    await delay(100);
    same(recorder.received, [
      { frame: '{"seen":true}' },
      { end: 'connection-closed: this side disposed of the transport' },
    ]);
  }),

  withFarEnd('ends with the exception of a receiver that throws, and delivers nothing more', async (near, recorder) => {
    recorder.answer = () => {
      throw new RangeError('too deep');
    };
    for (const frame of numbered(3)) void near.send(frame);
    await recorder.untilEnd();
    same(recorder.received, [
      { frame: numbered(1)[0] },
      { end: 'connection-closed: a frame could not be handled: too deep' },
    ]);
  }),

  withFarEnd('ends with the error of a receiver whose promise rejects', async (near, recorder) => {
    recorder.answer = () => Promise.reject(new RangeError('too deep'));
    for (const frame of numbered(3)) void near.send(frame);
    await recorder.untilEnd();
    same(recorder.received, [
      { frame: numbered(1)[0] },
      { end: 'connection-closed: a frame could not be handled: too deep' },
    ]);
  }),

  withFarEnd(
    'ends only after the frame the receiver is busy with, when the other side closes',
    async (near, recorder) => {
      let release: () => void = () => undefined;
      recorder.answer = () => new Promise((resolve) => (release = resolve));
      void near.send('{"last":true}');
      void near.send(order({ do: 'close' }));
      await recorder.untilFrames(1);
      await delay(50);
      same(recorder.received, [{ frame: '{"last":true}' }]);
      release();
      await recorder.untilEnd();
      same(recorder.received, [{ frame: '{"last":true}' }, { end: null }]);
    },
  ),
];

const waiting: readonly ContractCase[] = [
  withFarEnd('asks the sender to wait when the other side does not read, and loses nothing', async (near, recorder) => {
    void near.send(order({ do: 'mute' }));
    void near.send(order({ do: 'hold', milliseconds: 100 }));
    const frame = burstFrame(0, 100_000);
    let sent = 0;
    let waiting: Promise<void> | undefined;
    while (waiting === undefined && sent < 10_000) {
      waiting = near.send(frame);
      sent += 1;
    }
    if (!(waiting instanceof Promise)) throw new Error(`send never asked to wait, after ${sent} frames of 100 kB`);
    if (near.send(frame) !== waiting) throw new Error('send returned another promise to those who came later');
    await waiting;
    void near.send(order({ do: 'count' }));
    await recorder.untilFrames(1);
    same(recorder.received, [{ frame: JSON.stringify({ received: sent + 4 }) }]);
  }),

  withFarEnd('makes progress in a loop of awaited sends', async (near, recorder) => {
    void near.send(order({ do: 'mute' }));
    for (const frame of burst(50_000, 100)) await near.send(frame);
    await near.send(order({ do: 'count' }));
    await recorder.untilFrames(1);
    same(recorder.received, [{ frame: '{"received":50002}' }]);
  }),

  withFarEnd('delivers nothing while the receiver asks to wait, then everything in order', async (near, recorder) => {
    const gates: (() => void)[] = [];
    recorder.answer = () =>
      recorder.frameCount % 1000 === 1 ? new Promise((resolve) => gates.push(resolve)) : undefined;
    void near.send(order({ do: 'burst', count: 3000, size: 300 }));
    for (const held of [1, 1001, 2001]) {
      await recorder.untilFrames(held);
      await delay(20);
      same(recorder.frameCount, held);
      gates.shift()?.();
    }
    await recorder.untilFrames(3000);
    same(recorder.received, received(burst(3000, 300)));
  }),

  withFarEnd('delivers frames one at a time to a slow receiver', async (near, recorder) => {
    let running = 0;
    let most = 0;
    recorder.answer = async () => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
    };
    void near.send(order({ do: 'burst', count: 2000, size: 100 }));
    void near.send(order({ do: 'close' }));
    await recorder.untilEnd();
    same(most, 1);
    same(recorder.received, [...received(burst(2000, 100)), { end: null }]);
  }),
];

/** Frames that the other end still sends after this side has closed. */
const afterClosing: readonly ContractCase[] = [
  withFarEnd('still receives answers after its own side is closed', async (near, recorder) => {
    void near.send('{"request":1}');
    await near.close();
    await recorder.untilEnd();
    same(recorder.received, [{ frame: '{"request":1}' }, { frame: '{"ended":true,"received":1}' }, { end: null }]);
  }),

  withFarEnd('ends only after the frame the receiver is busy with', async (near, recorder) => {
    let release: () => void = () => undefined;
    recorder.answer = () => new Promise((resolve) => (release = resolve));
    void near.send('{"last":true}');
    await near.close();
    await recorder.untilFrames(1);
    await delay(50);
    same(recorder.received, [{ frame: '{"last":true}' }]);
    recorder.answer = () => undefined;
    release();
    await recorder.untilEnd();
    same(recorder.received, [{ frame: '{"last":true}' }, { frame: '{"ended":true,"received":1}' }, { end: null }]);
  }),
];

/** Opens a pair, runs the check, and frees both ends in any case. */
function withFarEnd(name: string, check: Check): ContractCase {
  return {
    name,
    run: async (open) => {
      const opened = await open();
      const recorder = new Recorder();
      opened.near.start(recorder);
      try {
        await check(opened.near, recorder, opened);
      } finally {
        await opened.near[Symbol.asyncDispose]();
        await opened.dispose();
      }
    },
  };
}

function received(frames: readonly string[]): readonly Received[] {
  return frames.map((frame) => ({ frame }));
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => JSON.stringify({ jsonrpc: '2.0', id: index }));
}

function burst(count: number, size: number): string[] {
  return Array.from({ length: count }, (_, index) => burstFrame(index, size));
}

async function delay(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
