import { expect, test } from 'vitest';
import { answer, call, macrotask } from '../peer/test-wire.ts';
import { chance, malformedText } from './malformed-frames.ts';
import { readyAgent, readyClient } from './v2-pair.ts';

const frames = Number(process.env['TURNWIRE_MALFORMED_FRAMES'] ?? 5_000);
const portion = 500;

const handlers = { _x: () => 'still here', 'session/update': () => undefined, 'session/cancel': () => undefined };

test.each([
  ['an agent', readyAgent],
  ['a client', readyClient],
] as const)(
  '%s of version 2 survives malformed messages: it answers none twice, keeps nothing of them, and continues',
  async (_, ready) => {
    const { wire } = await ready(handlers as never);
    const random = chance(7);
    for (let done = 0; done < frames; done += portion) {
      wire.feed(...Array.from({ length: portion }, () => malformedText(random)));
      while (wire.waiting > 0) await macrotask();
      const answers = wire.take() as readonly { readonly id: unknown; readonly method?: string }[];
      expect(answers.length).toBeLessThanOrEqual(portion);
      expect(answers.filter(({ method }) => method !== undefined)).toEqual([]);
      wire.feed(call(`after ${done}`, '_x'));
      expect(await wire.frames(1)).toEqual([answer(`after ${done}`, 'still here')]);
    }
    const heap = process.memoryUsage().heapUsed / 2 ** 20;
    if (frames >= 100_000) console.log(`${frames} frames; ${Math.round(heap)} MiB of heap are in use`);
  },
  600_000,
);
