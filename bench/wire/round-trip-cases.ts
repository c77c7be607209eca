import type { Case, Sample, Setup } from '../case.ts';
import { connectInProcess, spawnAgent, stop } from './connection.ts';
import type { BenchClient, ProgramName } from './contender.ts';
import { echoPrompt } from './script.ts';

/** Round trips between two readings of the clock. */
const batch = 2_048;

const shared = { unit: 'per s', higherIsBetter: true, aim: { ratio: 0.8 } } as const;

export const roundTripCases: readonly Case[] = [
  { name: 'round-trip', ...shared, measure: (setup) => measureInProcess('round-trip', 1, setup) },
  { name: 'round-trip-64', ...shared, measure: (setup) => measureInProcess('round-trip-64', 64, setup) },
  { name: 'round-trip-stdio', ...shared, measure: (setup) => measureStdio('round-trip-stdio', 1, setup) },
  { name: 'round-trip-stdio-64', ...shared, measure: (setup) => measureStdio('round-trip-stdio-64', 64, setup) },
];

/** The rate of prompts that are answered at once, client and agent in this process. */
export async function measureInProcess(
  name: string,
  inFlight: number,
  { contender, seconds }: Setup<ProgramName>,
): Promise<Sample> {
  const client = await connectInProcess(contender);
  return { figures: { [name]: await rate(client, inFlight, seconds) } };
}

async function measureStdio(name: string, inFlight: number, { contender, seconds }: Setup): Promise<Sample> {
  const { client, child } = await spawnAgent(contender, () => undefined);
  const perSecond = await rate(client, inFlight, seconds);
  await stop(child);
  return { figures: { [name]: perSecond } };
}

/** Round trips per second, with a number of concurrent requests, after a warm-up of half the duration. */
export async function rate(client: BenchClient, inFlight: number, seconds: number): Promise<number> {
  await client.initialize();
  const sessionId = await client.newSession();
  await tripsFor(seconds / 2, () => trips(client, sessionId, inFlight));
  return tripsFor(seconds, () => trips(client, sessionId, inFlight));
}

/** Round trips per second. */
async function tripsFor(seconds: number, run: () => Promise<number>): Promise<number> {
  const start = performance.now();
  for (let done = 0; ;) {
    done += await run();
    const elapsed = (performance.now() - start) / 1000;
    if (elapsed >= seconds) return done / elapsed;
  }
}

/** Runs one batch with a number of concurrent requests. Returns the number of correct answers. */
async function trips(client: BenchClient, sessionId: string, inFlight: number): Promise<number> {
  const oneAfterAnother = async (): Promise<number> => {
    let answered = 0;
    for (let count = 0; count < batch / inFlight; count++) {
      const { stopReason } = await client.prompt(sessionId, echoPrompt);
      if (stopReason === 'end_turn') answered++;
    }
    return answered;
  };
  const answered = (await Promise.all(Array.from({ length: inFlight }, oneAfterAnother))).reduce((a, b) => a + b);
  if (answered !== batch) throw new Error(`${answered} of ${batch} requests were answered with end_turn`);
  return answered;
}
