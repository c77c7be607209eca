import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionStore, StoredEvent } from '../../src/store/session-store.ts';
import { session, start, type StorePlace } from './session-store-contract.ts';

/** A place that other processes can write to. */
export interface SharedPlace extends StorePlace {
  /** The words of a command that writes to a session until it is killed: `fixtures/writing-process.ts` says how. */
  writer(id: string, name: string): readonly string[];
}

/** What every store must do that outlives its process: it may be killed at any moment, and several processes may use it. */
export function killContract(name: string, makePlace: () => Promise<SharedPlace>): void {
  let place: SharedPlace;
  let store: SessionStore;

  beforeEach(async () => {
    place = await makePlace();
    store = await place.open();
    await store.create(session('one'));
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  /** Has a process write until what it has reported is enough, then kills it. Resolves with that. */
  async function writeAndKill(
    writer: string,
    isEnough: (reported: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    const [program = '', ...words] = place.writer('one', writer);
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    const reported: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      reported.push(line);
      if (!child.killed && isEnough(reported)) child.kill('SIGKILL');
    }
    expect((await closed)[1]).toBe('SIGKILL');
    return reported;
  }

  async function wholeLog(): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (;;) {
      const page = await store.read({ tenant: 'ada', id: 'one', after: events.at(-1) ?? start }, { limit: 500 });
      if ('gap' in page) throw new Error(`there is a gap: ${page.gap}`);
      if (page.events.length === 0) return events;
      events.push(...page.events);
    }
  }

  /** Whether what was reported is lost or elsewhere, something is there twice, or a number is left out. */
  async function inspected(reported: readonly string[]): Promise<unknown> {
    const events = await wholeLog();
    const lines = events.map(({ epoch, sequence, payload }) => `${epoch} ${sequence} ${JSON.parse(payload) as string}`);
    const known = new Set(lines);
    return {
      lost: reported.filter((line) => !known.has(line)),
      isNumbered: events.every(({ sequence }, index) => sequence === index + 1),
      isDoubled: new Set(events.map(({ payload }) => payload)).size < events.length,
      epochsGoUp: events.every(({ epoch }, index) => epoch >= (events[index - 1]?.epoch ?? 0)),
      isWritten: reported.length > 0,
    };
  }

  const whole = { lost: [], isNumbered: true, isDoubled: false, epochsGoUp: true, isWritten: true };

  describe(`${name}: killed`, () => {
    test('after a process is killed its stored events exist once, and the next process continues after them', async () => {
      const reported: string[] = [];
      for (const [run, events] of [1, 7, 20, 33, 150, 2].entries())
        reported.push(...(await writeAndKill(`run ${run}`, ({ length }) => length >= events)));
      expect(await inspected(reported)).toEqual(whole);
      const { epoch } = await store.claim('ada', 'one');
      expect(epoch).toBe(8);
    });

    test('two processes that take a session from each other lose and double nothing', async () => {
      const counts = new Map<string, number>();
      // Each has written, and the session has changed hands several times.
      const isEnough = (writer: string) => (reported: readonly string[]) => {
        counts.set(writer, reported.length);
        const epoch = Number(reported.at(-1)?.split(' ')[0]);
        return epoch > 6 && [...counts.values()].filter((count) => count > 100).length === 2;
      };
      const reports = await Promise.all(
        ['left', 'right'].map(async (writer) => writeAndKill(writer, isEnough(writer))),
      );
      expect(await inspected(reports.flat())).toEqual(whole);
    });

    test('stored events are there after the store is closed and opened again', async () => {
      const claim = await store.claim('ada', 'one');
      const events = Array.from({ length: 50 }, (_, index) => ({ at: index, type: 'update', payload: `${index}` }));
      const calls = events.map((each) => store.append(claim, [each]));
      await store.close();
      await Promise.all(calls);
      store = await place.open();
      expect(await wholeLog()).toEqual(events.map((each, index) => ({ ...each, epoch: 2, sequence: index + 1 })));
      expect(await store.append(claim, [{ at: 1, type: 'update', payload: '"on"' }])).toMatchObject([{ sequence: 51 }]);
    });

    test('a claim of another process ends the claim before', async () => {
      const other = await place.open();
      try {
        const claim = await store.claim('ada', 'one');
        await store.append(claim, [{ at: 1, type: 'update', payload: '1' }]);
        const next = await other.claim('ada', 'one');
        await expect(store.append(claim, [{ at: 1, type: 'update', payload: '2' }])).rejects.toMatchObject({
          code: 'fenced',
        });
        expect(next).toMatchObject({ epoch: 3, head: { epoch: 2, sequence: 1 } });
      } finally {
        await other.close();
      }
    });
  });
}
