import { describe, expect, test, vi } from 'vitest';
import { firstLine, fromSources, gone } from '../../../client/test/launch/launcher.ts';
import { lines, project, fixture, until } from './faulty.ts';

const many = 60_000;
/** Characters in each: together more than the heap. */
const long = 1_500;
/** So many short ones for a conversation, which keeps their text, and would not find room for what else is in them. */
const more = 300_000;
/** Mebibytes of heap the client gets: what it needs, and less than the flood. */
const heap = 64;
/** Mebibytes of memory a flood may add: what a garbage collector leaves lying about, and far less than the flood. */
const little = 200;

describe('a flood of updates in one turn', () => {
  test.each([
    ['read one by one', 'read', { count: many, result: { stopReason: 'end_turn' }, exit: { code: 0, signal: null } }],
    ['read by nobody', 'ignore', { count: 0, result: { stopReason: 'end_turn' }, exit: { code: 0, signal: null } }],
    [
      'shown as a conversation',
      'converse',
      { entries: ['user', 'agent', 'turn-end'], result: { stopReason: 'end_turn' } },
    ],
  ])('takes little memory when it is %s', async (_, way, expected) => {
    vi.stubEnv('NODE_OPTIONS', `--max-old-space-size=${heap}`);
    const prompt = way === 'converse' ? `flood ${more}` : `flood ${many} ${long}`;
    const child = fromSources('../../../runtime/test/faults/fixtures/flooded-client.ts', way, prompt);
    const { grown, ...seen } = (await firstLine(child)) as { readonly grown: number };
    await gone(child);
    expect(seen).toEqual(expected);
    expect(grown).toBeLessThan(little);
  });

  test('does not keep a cancel from being sent', async () => {
    const own = fixture({ cwd: await project(), launch: { timeouts: { cancel: 30_000 } } });
    const turn = own.conversation.prompt('stream');
    await until(own.conversation, () => lines(own.conversation.transcript).some((each) => each.startsWith('agent')));
    expect(await turn.cancel()).toEqual({ stopReason: 'cancelled' });
  });
});

describe('a frame that is too much', () => {
  test('a frame that is too long is skipped, the next one is read, and the turn fails', async () => {
    const own = fixture({ cwd: await project() });
    const failure = await own.conversation.prompt('huge 80').result.catch((error: unknown) => error);
    const lost = 'a message of the agent of 81 MiB exceeds the limit and was dropped';
    expect({ failure, shown: lines(own.conversation.transcript), warnings: [...own.warnings.keys()] }).toEqual({
      failure: expect.objectContaining({ code: 'limit-exceeded', message: `Part of the turn is missing: ${lost}` }),
      shown: ['user: huge 80', `! A${lost.slice(1)}`, 'agent: after it', '(failed)'],
      warnings: ['oversize', 'a malformed message was dropped'],
    });
  });

  test.each([300, 5_000, 100_000])('a frame with %s levels is refused, and the next one is read', async (levels) => {
    const own = fixture({ cwd: await project() });
    const result = await own.conversation.prompt(`deep ${levels}`);
    expect({ result, shown: lines(own.conversation.transcript) }).toEqual({
      result: { stopReason: 'end_turn' },
      shown: [`user: deep ${levels}`, 'agent: after it', '(end_turn)'],
    });
  });
});
