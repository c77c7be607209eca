import { setTimeout as delay } from 'node:timers/promises';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Recorder } from '@turnwire/transports/contract';

test('destroying a memory pair drops undelivered frames and ends both sides with the error', async () => {
  const [near, far] = memoryPair();
  const recorders = [new Recorder(), new Recorder()] as const;
  near.start(recorders[0]);
  far.start(recorders[1]);
  void near.send('{"lost":1}');
  near.destroy(new Error('cable cut'));
  far.destroy();
  void near.send('{"late":1}');
  await Promise.all(recorders.map((recorder) => recorder.untilEnd()));
  await delay(1);
  expect(recorders.map((recorder) => recorder.received)).toEqual([[{ end: 'cable cut' }], [{ end: 'cable cut' }]]);
});

test('destroying a memory pair while a frame is handled delivers no further frame', async () => {
  const [near, far] = memoryPair();
  const recorder = new Recorder();
  recorder.answer = () => {
    far.destroy();
    return undefined;
  };
  far.start(recorder);
  void near.send('{"first":1}');
  void near.send('{"second":1}');
  await recorder.untilEnd();
  await delay(1);
  expect(recorder.received).toEqual([
    { frame: '{"first":1}' },
    { end: 'connection-closed: the memory pair was destroyed' },
  ]);
});

test('destroying a memory pair releases a waiting sender and ends a busy receiver', async () => {
  const [near, far] = memoryPair({ maxFrames: 1 });
  const recorder = new Recorder();
  recorder.answer = () => new Promise(() => undefined);
  far.start(recorder);
  void near.send('{"first":1}');
  await recorder.untilFrames(1);
  void near.send('{"second":1}');
  const room = near.send('{"third":1}');
  near.destroy();
  await room;
  await recorder.untilEnd();
  expect(recorder.received).toEqual([
    { frame: '{"first":1}' },
    { end: 'connection-closed: the memory pair was destroyed' },
  ]);
});

test('a memory pair limits undelivered frames and text', async () => {
  const text = 'x'.repeat(100);
  const [frames] = memoryPair({ maxFrames: 2 });
  expect([1, 2, 3, 4].map(() => frames.send('{}') instanceof Promise)).toEqual([false, false, true, true]);
  const [units] = memoryPair({ maxText: 200 });
  expect([1, 2, 3].map(() => units.send(text) instanceof Promise)).toEqual([false, false, true]);
  const [byDefault] = memoryPair();
  const waits = Array.from({ length: 1025 }, () => byDefault.send('{}') instanceof Promise);
  expect(waits.indexOf(true)).toBe(1024);
});

test('a memory pair releases a waiting sender when the queue is below its limits', async () => {
  const [near, far] = memoryPair({ maxFrames: 2 });
  const recorder = new Recorder();
  void near.send('{"a":1}');
  void near.send('{"b":1}');
  const room = near.send('{"c":1}');
  far.start(recorder);
  await room;
  await recorder.untilFrames(3);
  expect(recorder.received).toEqual([{ frame: '{"a":1}' }, { frame: '{"b":1}' }, { frame: '{"c":1}' }]);
});

test('a memory pair delivers a long queue in order while more is sent', async () => {
  const [near, far] = memoryPair();
  const recorder = new Recorder();
  const expected = Array.from({ length: 10_000 }, (_, index) => ({ frame: `{"index":${index}}` }));
  recorder.answer = () => (recorder.frameCount % 100 === 0 ? Promise.resolve() : undefined);
  far.start(recorder);
  for (const [index, { frame }] of expected.entries()) {
    void near.send(frame);
    if (index % 3000 === 0) await Promise.resolve();
  }
  await recorder.untilFrames(10_000);
  expect(recorder.received).toEqual(expected);
});
