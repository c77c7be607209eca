import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-running-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const server = {
  sessionUpdate: 'tool_call',
  toolCallId: 'a',
  title: 'Run the server',
  kind: 'execute',
  status: 'in_progress',
  content: [{ type: 'content', content: { type: 'text', text: 'listening' } }],
};

/** The rows of the list, without their times. */
function rows(lines: readonly string[]): readonly string[] {
  const list = lines.slice(lines.findIndex((line) => line.startsWith('Running and waiting')) + 2);
  return list
    .filter((line) => /^[❯ ] \S/.test(line))
    .map((line) =>
      line
        .slice(2)
        .replaceAll(/ {2,}/g, ' | ')
        .replace(/(?:,| \|) [\d.]+ s$/, ''),
    );
}

test('Ctrl-X lists the turn, its calls and the queued prompts, shows a call, removes a prompt and stops the turn', async () => {
  const run = await beginChat(folder);
  run.type(keys.paste(`thenHang ${JSON.stringify(server)}`));
  run.type(keys.enter);
  await run.until('│ listening');
  for (const text of ['say second', 'say third']) {
    run.type(`${text}${keys.enter}`);
    await run.until(`queued: ${text}`);
  }
  run.type(keys.ctrl('x'));
  const listed = rows(await run.until('say third      '));
  run.type(`server${keys.enter}`);
  await run.until('❯ Show it');
  run.type(keys.enter);
  await run.until('❯ → Run the server');
  run.type('q');
  await run.until('queued: say third');
  run.type(keys.ctrl('x'));
  await run.until('Running and waiting 4');
  run.type(`second${keys.enter}`);
  await run.until('❯ Take it back');
  run.type(keys.enter);
  await run.until('› say second');
  run.type(keys.ctrl('x'));
  await run.until('Running and waiting 3');
  run.type(keys.enter);
  await run.until('❯ Stop it');
  run.type(keys.enter);
  await run.until('third');
  expect({ listed, after: (await run.until('\nthird\n')).at(-2) }).toEqual({
    listed: [
      'The running turn',
      'Run the server | tool call',
      'say second | queued prompt',
      'say third | queued prompt',
    ],
    after: '› say second',
  });
});

test('/running switches to another session of the folder, and asks first while a turn runs', async () => {
  const first = await beginChat(folder);
  first.type(`/sessions${keys.enter}`);
  await first.until('Fix the parser');
  first.type(`Fix the parser${keys.enter}`);
  await first.until('what was once answered');
  first.type(`say it again${keys.enter}`);
  await first.until('\nit again\n');
  first.type(`/exit${keys.enter}`);
  await first.exitCode;
  const run = inEmulator(['--agent', showyAgent(), '--cwd', folder]);
  await run.until('Ask first');
  run.type(`hang${keys.enter}`);
  await run.until('working');
  run.type(`/running${keys.enter}`);
  await run.until('session, ');
  run.type(`say it again${keys.enter}`);
  await run.until('❯ Stop the running turn, and switch');
  run.type(keys.enter);
  expect(await run.until('what was once answered')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^── .* ──$/)]),
  );
});

test('without work and other sessions, /running says so', async () => {
  const empty = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-running-')));
  const run = await beginChat(empty);
  run.type(`/tasks${keys.enter}`);
  await run.until('nothing runs or waits, and there is no other session');
  expect(run.modes.alternate).toBe(false);
  await rm(empty, { recursive: true, maxRetries: 5 });
});
