import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionFixture } from './session-fixture.ts';

test('sessions search finds a session by words of its prompts, also after it was exported, deleted and imported', async () => {
  const fixture = await sessionFixture();
  await fixture.run(['sessions', 'new', '--name', 'api']);
  await fixture.run(['prompt', '--session', 'api', 'say the flaky parser']);
  const found = async (...words: readonly string[]): Promise<unknown> => {
    const { stdout } = await fixture.bare(['sessions', 'search', ...words, '--format', 'json']);
    return (JSON.parse(stdout) as { readonly matches: readonly object[] }[]).map(({ matches }) => matches.at(-1));
  };
  const prompt = {
    kind: 'prompt',
    cursor: expect.stringMatching(/^\d+\.\d+$/),
    at: expect.stringMatching(/T/),
    text: 'say the flaky parser',
    marks: [
      [8, 13],
      [14, 20],
    ],
  };
  await expect.poll(() => found('pars', 'FLAKY')).toEqual([prompt]);
  expect(await found('parser', 'missing')).toEqual([]);

  const file = join(fixture.state, 'api.json');
  await fixture.run(['sessions', 'export', 'api', '--output', file]);
  await fixture.run(['sessions', 'delete', 'api']);
  expect(await found('parser')).toEqual([]);
  await fixture.run(['sessions', 'import', file, '--name', 'again']);
  expect(await found('pars', 'flaky')).toEqual([prompt]);
});

test('sessions search prints each session with its texts, and says when there are none', async () => {
  const fixture = await sessionFixture();
  await fixture.run(['sessions', 'new', '--name', 'api']);
  await fixture.run(['prompt', '--session', 'api', 'say the flaky parser']);
  const search = (...words: readonly string[]) => fixture.bare(['sessions', 'search', ...words]);
  await expect
    .poll(async () => (await search('parser')).stdout)
    .toMatch(/^[0-9a-f]{8} {2}.*\n.* {2}prompt: say the flaky parser\n$/s);
  expect(await search('nothing', 'at all')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'turnwire: no session has a text with all of these words: nothing at all\n',
  });
  expect(await search('?!')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no letter and no digit to search for in "?!"'),
  });
});
