import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { launchAgent } from '@turnwire/client/node';
import { median } from '../median.ts';
import { newSessionRequest } from '../wire/script.ts';
import { GatewayClient } from './gateway-client.ts';
import { RunningGateway } from './running-gateway.ts';
import { preciseNow } from './stamp.ts';
import { compared, StampReader } from './stamp-reader.ts';
import { quantile, type Trial, type TrialEffort, type TrialFigure } from './trial.ts';

/** Updates a second. */
const rate = 5_000;

/** The latency that a gateway adds to an update from an agent's process to a client, compared with a client that has the agent on a pipe. */
export const addedLatency: Trial = {
  name: 'added-latency',
  run: async ({ isQuick, folder }: TrialEffort): Promise<readonly TrialFigure[]> => {
    const [rounds, seconds] = isQuick ? [2, 1] : [5, 4];
    const direct: Quantiles[] = [];
    const added: Quantiles[] = [];
    for (let round = 0; round < rounds; round++) {
      const without = quantiles(await latencies(seconds, directly));
      const through = quantiles(await latencies(seconds, throughGateway(join(folder, `${round}.sqlite`))));
      direct.push(without);
      added.push({ p50: through.p50 - without.p50, p99: through.p99 - without.p99 });
    }
    const of = (all: readonly Quantiles[], which: keyof Quantiles): number => median(all.map((each) => each[which]));
    return [
      { name: 'added-latency', unit: 'ms, p50', value: of(added, 'p50'), atMost: 0.5 },
      { name: 'added-latency-p99', unit: 'ms, p99', value: of(added, 'p99'), atMost: 5 },
      // The latency of the machine itself, which also delays a gateway.
      { name: 'direct-latency', unit: 'ms, p50', value: of(direct, 'p50') },
      { name: 'direct-latency-p99', unit: 'ms, p99', value: of(direct, 'p99') },
    ];
  },
};

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

function quantiles(ages: readonly number[]): Quantiles {
  return { p50: quantile(ages, 0.5), p99: quantile(ages, 0.99) };
}

/** Connects the reader with an agent that sends updates when it is prompted. */
type Route = (
  reader: StampReader,
  prompt: (count: number) => string,
) => Promise<{
  readonly prompt: (text: string) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}>;

/** The ages of updates when the client read them, in milliseconds since they were due. */
async function latencies(seconds: number, connect: Route): Promise<readonly number[]> {
  const ages: number[] = [];
  const reader = new StampReader(({ dueAt }) => ages.push(preciseNow() - dueAt));
  const promptFor = (count: number): string => `0 ${count} ${rate}`;
  const route = await connect(reader, promptFor);
  await route.prompt(promptFor(rate));
  const warm = ages.length;
  const count = rate * seconds;
  await route.prompt(`${rate} ${count} ${rate}`);
  await route.close();
  const { lost, doubled } = compared(
    reader.serials,
    Array.from({ length: rate + count }, (_, serial) => serial),
  );
  if (lost + doubled > 0) throw new Error(`added-latency: ${lost} updates were lost, ${doubled} came twice`);
  return ages.slice(warm);
}

const directly: Route = async (reader) => {
  const agent = await launchAgent([process.execPath, fileURLToPath(new URL('agent-process.js', import.meta.url))]);
  const session = await agent.newSession({
    ...newSessionRequest,
    cwd: process.cwd(),
    onUpdate: (update) => {
      if (update.sessionUpdate === 'agent_message_chunk')
        reader.read((update.content as { readonly text: string }).text);
    },
  });
  return { prompt: async (text) => session.prompt(text), close: () => agent.close() };
};

function throughGateway(database: string): Route {
  return async (reader) => {
    const gateway = await RunningGateway.start({ database, agents: 'processes' });
    const client = await GatewayClient.connect(gateway.url, reader);
    const sessionId = await client.begin();
    return {
      prompt: (text) => client.peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
      close: () => gateway.kill(),
    };
  };
}
