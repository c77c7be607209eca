import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { chance, malformedText } from '../../../protocol/test/v2/malformed-frames.ts';
import { rawV2 } from './raw-client.ts';

/** `TURNWIRE_MALFORMED_FRAMES=1000000` sends as many, and prints what it came to. */
const count = Number(process.env['TURNWIRE_MALFORMED_FRAMES'] ?? 10_000);
/** Frames between two turns. */
const portion = 500;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of JavaScript objects that are in use. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test(`an agent of version 2 survives ${count} malformed messages, and its memory stays bounded`, async () => {
  let turns = 0;
  const client = rawV2(async (turn) => {
    turns++;
    await turn.say('Here.');
  });
  const sessionId = await client.begin();
  const random = chance(13);
  /** A message that reaches the session, and begins no other one. */
  const malformed = (): string =>
    malformedText(random).replaceAll('"s"', JSON.stringify(sessionId)).replaceAll('"cwd":"/"', '"cwd":"."');
  const feed = async (frames: number): Promise<void> => {
    for (let sent = 0; sent < frames; sent += portion) {
      for (let index = 0; index < portion; index++) client.write(malformed());
      expect(await client.ask('_nothing')).toMatchObject({ code: -32_601 });
      const prompt = client.prompt(sessionId, 'still there?', { idempotencyKey: `own ${sent}` });
      expect(await client.until(({ id, result }) => id === prompt && result !== undefined)).toMatchObject({
        result: { messageId: expect.any(String) as string },
      });
      client.frames.length = 0;
    }
  };
  await feed(count / 2);
  const before = used();
  await feed(count / 2);
  const growth = used() - before;
  if (count > 10_000) console.log({ count, growth, turns });
  expect(turns).toBeGreaterThan(count / portion / 2);
  expect(growth).toBeLessThan(4 * 2 ** 20 + count);
}, 600_000);
