import { join } from 'node:path';
import { type AgentOptions, attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { serveCoder } from '@turnwire/coder';
import { Gateway } from '@turnwire/gateway';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import type { AgentSubject } from '../../../conformance/src/agent/agent-subject.ts';
import { checkAgent } from '../../../conformance/src/agent/check-agent.ts';
import { agentScenarios } from '../../../conformance/src/agent/scenarios/scenarios.ts';
import { checkClient } from '../../../conformance/src/client/check-client.ts';
import { clientScenarios } from '../../../conformance/src/client/scenarios/scenarios.ts';
import { transportLine } from '../../../conformance/src/wire/transport-line.ts';
import type { Judgement } from '../../../conformance/src/verdict/verdict.ts';
import { faultsOf } from '../../../conformance/test/judgements.ts';
import { agentHome, type AgentHome } from '../../../conformance/test/peers/built-in-agent.ts';
import { type Between, builtInClient } from '../../../conformance/test/peers/built-in-client.ts';
import { within } from '../../../tools/pace.ts';
import { explained } from './bridge/unexercised.ts';

type Version = 1 | 2;

const principal = { tenant: 'local', scope: 'admin', isOwner: true } as const;
const pairs: readonly (readonly [client: Version, agent: Version])[] = [
  [1, 1],
  [1, 2],
  [2, 1],
  [2, 2],
];

/** The connection of a client that has one version. */
const only = (version: Version): AgentOptions['versions'] => (version === 2 ? protocolVersions([2]) : undefined);

/** The built-in agent in one version behind a gateway. The next gateway has the sessions of the one before. */
function bridge(version: Version, { env }: AgentHome): AgentSubject {
  const store = memoryStore();
  return {
    name: `a gateway and an agent of version ${version}`,
    open: ({ cwd }) => {
      const start: HostedAgent['start'] = (options) => {
        const [near, far] = memoryPair();
        serveCoder({ env, transport: far, versions: [version], sessions: join(cwd, '.sessions') });
        return attachAgent(near, { ...options, versions: only(version) });
      };
      const gateway = new Gateway({ store, agents: { coder: { start } }, cwd });
      const [client, agent] = memoryPair();
      gateway.attach(agent, { principal, agent: 'coder' });
      const line = transportLine(client);
      const close = async (): Promise<void> => {
        await line.close();
        await gateway.close();
      };
      return Promise.resolve({ ...line, close });
    },
  };
}

/** `TURNWIRE_WHOLE_KIT=1`: every scenario that needs no process, which takes minutes. Each requirement is exercised, or has an explanation. */
const isWhole = process.env['TURNWIRE_WHOLE_KIT'] !== undefined;
/** Scenarios about sessions and turns. `turnwire check` also runs those of bytes and processes. */
const ofAgent =
  /^(?:prompt|cancel|close|resume|load|states|delete|permission|config|messages|updates)\/|^(?:roots\/forgotten|mcp\/brought-back)$/;

function unexercised({ verdicts }: Judgement): readonly string[] {
  return verdicts.flatMap(({ requirement, outcome }) => (outcome === 'not exercised' ? [requirement.id] : []));
}

test.each(pairs)(
  'a gateway between a client of version %i and an agent of version %i conforms as an agent',
  async (version, behind) => {
    await using home = await agentHome();
    const scenarios = agentScenarios.filter(({ over, id }) => over === undefined && (isWhole || ofAgent.test(id)));
    const judgement = await checkAgent(bridge(behind, home), { seed: 1, version, scenarios });
    const explanations = explained(version, behind);
    const unexplained = isWhole ? unexercised(judgement).filter((id) => !explanations.has(id)) : [];
    expect({ faults: faultsOf(judgement), unexplained }).toEqual({ faults: [], unexplained: [] });
  },
  within(150_000),
);

/** Connects clients to gateways that are the clients of an agent in one version. */
class GatewaysTo implements AsyncDisposable {
  readonly between: Between;
  readonly #gateways: Gateway[] = [];

  constructor(version: Version) {
    this.between = (connect, { home }) => {
      const start: HostedAgent['start'] = (options) => attachAgent(connect(), { ...options, versions: only(version) });
      const gateway = new Gateway({ store: memoryStore(), agents: { judged: { start } }, cwd: home });
      this.#gateways.push(gateway);
      const [client, agent] = memoryPair();
      gateway.attach(agent, { principal, agent: 'judged' });
      return client;
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#gateways.map((gateway) => gateway.close()));
  }
}

const ofClient =
  /^(?:prompt|permission|updates|files|questions|settings|prompts|states|patches|asking|closing|replay|options|set-up|cancelling)\//;

test.each(pairs)(
  'a gateway between a client of version %i and an agent of version %i conforms as a client',
  async (front, version) => {
    await using gateways = new GatewaysTo(version);
    const subject = builtInClient('memory', undefined, { between: gateways.between, versions: only(front) });
    const scenarios = clientScenarios.filter(({ id }) => ofClient.test(id));
    const judgement = await checkClient(subject, { seed: 1, version, scenarios });
    expect({ unreachable: judgement.unreachable, faults: faultsOf(judgement) }).toEqual({ faults: [] });
  },
  within(150_000),
);
