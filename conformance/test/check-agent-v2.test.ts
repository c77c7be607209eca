import { expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { faultsOf } from './judgements.ts';
import { agentHome, builtInAgent, builtInAgentProcess } from './peers/built-in-agent.ts';

test(
  'the built-in agent conforms in version 2',
  async () => {
    await using home = await agentHome();
    const ofProcesses = agentScenarios.filter(({ over }) => over === undefined);
    // Scenarios about bytes, start and exit need a process. The others show the same without one in a tenth of the time.
    const bytes = ofProcesses.filter(({ id }) => /^(?:framing|stdout|shutdown)\//.test(id));
    const others = ofProcesses.filter((scenario) => !bytes.includes(scenario));
    const asProcess = await checkAgent(builtInAgentProcess(home), { seed: 1, version: 2, scenarios: bytes });
    const inThisProcess = await checkAgent(builtInAgent(home), { seed: 1, version: 2, scenarios: others });
    expect([asProcess, inThisProcess].flatMap(faultsOf)).toEqual([]);
  },
  within(150_000),
);
