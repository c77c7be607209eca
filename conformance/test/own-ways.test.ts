import { expect, test } from 'vitest';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { asMessage } from '../src/wire/messages.ts';
import { choosing } from './mutants/agent/turns/tampered.ts';
import { type Defect, mutantAgent } from './mutants/mutant-line.ts';
import { agentHome, builtInAgent } from './peers/built-in-agent.ts';

/** Creates files without a question, and asks before it runs commands. */
const trustsItself: Defect = ({ toSubject }) => ({
  says: (message) => {
    const params = asMessage(message['params']) ?? {};
    const isForEdit = asMessage(params['toolCall'])?.['kind'] === 'edit';
    if (message['method'] !== 'session/request_permission' || !isForEdit) return [message];
    toSubject(JSON.stringify(choosing('allow_once', message, params)));
    return [];
  },
});

test('files that an agent makes without a question are not taken for what it was forbidden', async () => {
  await using home = await agentHome();
  const { results } = await checkAgent(mutantAgent(builtInAgent(home), trustsItself), {
    scenarios: agentScenarios.filter(({ id }) => /^permission\/|^cancel\/permission$/.test(id)),
    seed: 1,
  });
  const broken = results.flatMap(({ scenario, observations }) =>
    observations.filter(({ outcome }) => outcome === 'broken').map((each) => [scenario, each.requirement]),
  );
  expect(broken).toEqual([]);
}, 60_000);
