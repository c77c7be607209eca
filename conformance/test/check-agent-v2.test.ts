import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveCoder } from '@turnwire/coder';
import { expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { faultsOf } from './judgements.ts';
import { agentHome, builtInAgent, builtInAgentProcess } from './peers/built-in-agent.ts';
import { remoteAgent } from './peers/remote-agent.ts';

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
    const judged = [asProcess, inThisProcess];
    expect(judged.flatMap(faultsOf)).toEqual([]);
    const seen = judged.flatMap(({ verdicts }) => verdicts.filter(({ outcome }) => outcome !== 'not exercised'));
    const known = new Set(seen.map(({ requirement }) => requirement.id));
    const unseen = asProcess.verdicts.map(({ requirement }) => requirement.id).filter((id) => !known.has(id));
    // It has both versions, and neither extensions, logins, background work nor child sessions.
    const children = ['V090', 'V091', 'V092', 'V093', 'V094'];
    expect(unseen).toEqual(['V011', 'V037', 'V046', ...children, 'V118', 'V126']);
  },
  within(150_000),
);

/** Scenarios of sessions, and those of the transports. */
const overNetwork = /^(?:remote|versions|prompt|resume|cancel|states)\/|^close\/order$/;

test.each(['http', 'websocket'] as const)(
  'the built-in agent conforms in version 2 over %s',
  async (over) => {
    await using home = await agentHome();
    const sessions = await mkdtemp(join(tmpdir(), 'turnwire-sessions-'));
    const { env } = home;
    await using agent = await remoteAgent(over, {}, (transport) => void serveCoder({ env, transport, sessions }));
    const scenarios = agentScenarios.filter(({ id }) => overNetwork.test(id));
    const judgement = await checkAgent(agent.subject, { seed: 1, version: 2, scenarios });
    expect(faultsOf(judgement)).toEqual([]);
    await rm(sessions, { recursive: true, force: true });
  },
  within(150_000),
);
