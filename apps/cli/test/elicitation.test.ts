import { expect, test } from 'vitest';
import { commandWords } from './command.ts';
import { sessionFixture } from './session-fixture.ts';
import { enter, programInTerminal } from './terminal.ts';

test.each(['exec', 'prompt'])('%s asks for the fields of a form at the terminal', async (command) => {
  const { run, agent, env, project } = await sessionFixture();
  await run(['sessions', 'new']);
  const state = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = ['env', ...state, process.execPath, ...commandWords, '--agent', agent, command, 'form'] as const;
  const asked = programInTerminal([...words], { cwd: project });
  await asked.until('Which colour?');
  await asked.until('Answer: ');
  asked.type(`green${enter}`);
  await asked.until('Nothing is sent yet.');
  await asked.until('Answer (1-3');
  asked.type(`y${enter}`);
  await asked.until('{"action":"accept","content":{"colour":"green"}}');
  expect(await asked.exitCode).toBe(0);
});

test.each(['exec', 'prompt'])('%s without a terminal cancels an elicitation and says so', async (command) => {
  const { run } = await sessionFixture();
  await run(['sessions', 'new']);
  expect(await run([command, 'form'])).toEqual({
    code: 0,
    stdout: '{"action":"cancel"}\n',
    stderr: 'turnwire: the question "Which colour?" was not answered: there is no user to ask here; use --answers\n',
  });
});
