import { tmpdir } from 'node:os';
import type { FrameTap } from '@turnwire/client';
import { pause } from '@turnwire/machine/waits';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore, type SessionStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';

const cwd = tmpdir();
const mebi = 1024 * 1024;
const text = 'x'.repeat(50_000);

/** A store that does not finish writing while it is unavailable. */
class AwayStore {
  readonly store: SessionStore = memoryStore();
  #back: Promise<void> | undefined;
  comeBack = (): void => undefined;

  constructor() {
    const append = this.store.append.bind(this.store);
    this.store.append = async (claim, events) => {
      await this.#back;
      return append(claim, events);
    };
  }

  goAway(): void {
    this.#back = new Promise((resolve) => (this.comeBack = resolve));
  }
}

test.each([
  [1, 'four mebibytes of the output of its agent', 4],
  [24, '64 mebibytes of the output of their agents', 64 / 24],
])('while the store is unavailable, %d sessions buffer %s and lose nothing', async (count, _, most) => {
  const away = new AwayStore();
  let held = 0;
  const each = (count === 1 ? 12 : 4.5) * mebi;
  const { hosted } = testAgent({
    info: { name: 'fast', version: '1' },
    prompt: async (turn) => {
      for (let size = 0; size < each; size += text.length) await turn.say(text);
    },
  });
  const counted =
    (tap: FrameTap | undefined): FrameTap =>
    (direction, frame) => {
      if (direction === 'in') held += frame.length;
      return tap?.(direction, frame);
    };
  await using gateway = new Gateway({
    store: away.store,
    agents: { test: { start: (options, place) => hosted.start({ ...options, tap: counted(options.tap) }, place) } },
    cwd,
  });
  const clients = await Promise.all(Array.from({ length: count }, () => testClient(gateway)));
  const sessions = await Promise.all(clients.map(({ peer }) => peer.request('session/new', { cwd, mcpServers: [] })));
  away.goAway();
  const turns = clients.map(({ peer }, index) =>
    peer.request('session/prompt', { sessionId: sessions[index]?.sessionId ?? '', prompt: words('go') }),
  );
  // Longer than a connection pauses its reading when nothing holds it back.
  await pause(4_500);
  const isBounded = held < count * (most + 1) * mebi;
  const shown = clients.reduce((sum, { seen }) => sum + seen.length, 0);
  away.comeBack();
  await Promise.all(turns);
  const lengths = clients.map(({ seen }) => seen.join('').length);
  const whole = Math.ceil(each / text.length) * text.length;
  expect({ shown, isBounded, lengths: new Set(lengths) }).toEqual({
    shown: 0,
    isBounded: true,
    lengths: new Set([whole]),
  });
});
