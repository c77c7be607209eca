import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentSubject } from '../src/agent/agent-subject.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { testAgent } from '../src/agent/test-agent.ts';
import { answering, resultLine } from './mutants/agent/protocol/said.ts';
import { mutantAgent } from './mutants/mutant-line.ts';
import { type AgentHome, agentHome, builtInAgent } from './peers/built-in-agent.ts';

let home: AgentHome;
beforeAll(async () => void (home = await agentHome()));
afterAll(() => home[Symbol.asyncDispose]());

/** What the test of each of these scenarios ends with. */
async function resultsOf(subject: AgentSubject, ...ids: readonly string[]): Promise<readonly unknown[]> {
  const results: Promise<unknown>[] = [];
  testAgent(
    (name, run) => {
      let skipped: unknown;
      const end = run({ skip: (reason) => (skipped = `skipped: ${String(reason)}`) });
      const [id = ''] = name.split(':');
      results.push(
        end.then(
          () => [id, skipped ?? 'passed'],
          (error: unknown) => [id, (error as Error).message],
        ),
      );
    },
    subject,
    { scenarios: agentScenarios.filter(({ id }) => ids.includes(id)), seed: 1 },
  );
  return Promise.all(results);
}

test('a scenario is a test that passes, or is skipped with the reason', async () => {
  expect(await resultsOf(builtInAgent(home), 'initialize/answer', 'authentication/login')).toEqual([
    ['initialize/answer', 'passed'],
    ['authentication/login', 'skipped: this needs a login method: name one with --auth-method'],
  ]);
});

test('a test fails with the frames, the sentence, the page and how to fix it', async () => {
  const defect = answering((message) => (message['method'] === 'session/load' ? resultLine(message, {}) : undefined));
  const [[id, message = ''] = []] = (await resultsOf(
    mutantAgent(builtInAgent(home), defect),
    'sessions/unknown-id',
  )) as string[][];
  expect([id, message.replaceAll(/[\d.]+ ms .*/g, 'FRAME')]).toEqual([
    'sessions/unknown-id',
    [
      'R407 MUST: A session that does not exist is neither loaded nor resumed: the request is refused',
      '  session/load succeeded for a session that does not exist',
      '    FRAME',
      '    FRAME',
      '  “A given resource, such as a session or file, was not found.”',
      '  https://agentclientprotocol.com/protocol/v1/schema#errorcode',
      '  To fix it: Look the session up before you load or resume it, and refuse an unknown one with -32002',
    ].join('\n'),
  ]);
});

test('a test fails if the agent cannot be started', async () => {
  const missing: AgentSubject = { name: 'missing', open: () => Promise.reject(new Error('spawn ENOENT')) };
  expect(await resultsOf(missing, 'initialize/answer')).toEqual([
    ['initialize/answer', 'the agent cannot be tested: the agent cannot be started: spawn ENOENT'],
  ]);
});
