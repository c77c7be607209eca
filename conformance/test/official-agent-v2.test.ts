import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandSubject } from '../src/agent/agent-subject.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { scenariosIn } from '../src/judge/scenario.ts';
import { faultsOf } from './judgements.ts';

const program = fileURLToPath(new URL('../../packages/client/test/v2/official-agent.mjs', import.meta.url));

test('an agent of version 2 with the official SDK breaks only the known requirements', async () => {
  // The sessions of this agent are made for tests of the client, so only scenarios of the SDK itself run here.
  const ofSdk =
    /^(?:framing|ids|notifications|json-rpc|versions|initialize|envelope|capabilities|authentication|shutdown)\//;
  const scenarios = scenariosIn(2, agentScenarios).filter(({ id, over }) => over === undefined && ofSdk.test(id));
  const { PATH = '' } = process.env;
  const agent = commandSubject([process.execPath, program], { PATH });
  const found = faultsOf(await checkAgent(agent, { seed: 1, version: 2, scenarios }));
  // The SDK leaves these checks to the agent.
  const server = (name: string): object => ({
    scenario: 'capabilities/servers',
    requirement: 'V033',
    message: `an MCP server without session.mcp.${name} was answered with a result instead of the error -32602`,
  });
  const login = {
    scenario: 'authentication/methods',
    requirement: 'V034',
    message: 'an unknown login was accepted',
  };
  expect(found).toEqual([server('stdio'), server('_turnwire'), login]);
});
