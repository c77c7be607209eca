import { expect, test } from 'vitest';
import { sessionFixture } from './session-fixture.ts';

test('sessions fork creates a session with the history of another, whole or without its last prompts', async () => {
  const { bare } = await sessionFixture();
  await bare(['sessions', 'new']);
  for (const word of ['one', 'two']) await bare(['--approve-all', 'prompt', `create ${word}.txt with "${word}"`]);
  const outcomes = [
    await bare(['sessions', 'fork', '--name', 'whole']),
    await bare(['sessions', 'fork', '--name', 'short', '--without-last', '1']),
    await bare(['sessions', 'fork', '--name', 'none', '--without-last', '9']),
  ];
  const prompts = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await bare(['sessions', 'read', ...words]);
    return [...stdout.matchAll(/create \w+\.txt with/g)].map(([text]) => text);
  };
  expect({
    codes: outcomes.map(({ code }) => code),
    refused: outcomes.at(-1)?.stderr,
    source: await prompts(),
    whole: await prompts('whole'),
    short: await prompts('short'),
  }).toEqual({
    codes: [0, 0, 1],
    refused: expect.stringContaining('the session has 2 prompts'),
    source: ['create one.txt with', 'create two.txt with'],
    whole: ['create one.txt with', 'create two.txt with'],
    short: ['create one.txt with'],
  });
});

test('sessions fork fails with an agent that cannot fork, and requires a new name', async () => {
  const { run } = await sessionFixture();
  await run(['sessions', 'new', '--name', 'api']);
  const outcomes = [
    await run(['sessions', 'fork', 'api', '--name', 'other']),
    await run(['sessions', 'fork', 'api', '--name', 'api']),
    await run(['sessions', 'fork', 'api']),
  ];
  expect(outcomes.map(({ code, stderr }) => ({ code, stderr: stderr.split('\n', 1)[0] }))).toEqual([
    { code: 1, stderr: 'turnwire: the agent cannot fork sessions' },
    { code: 2, stderr: 'turnwire: api is the name of the source session: give the fork another name' },
    { code: 2, stderr: expect.stringContaining("required option '--name <name>' not specified") },
  ]);
});
