import type { Server } from 'node:http';
import type { Sample, Setup } from '../case.ts';
import { residentAfterCollection } from '../wire/memory-cases.ts';
import { reachSessions } from '../wire/script.ts';
import { updatesOf } from '../wire/updates.ts';
import { LoadGenerator } from './load-generator.ts';
import { listening } from './listening.ts';

const connections = 10_000;
/** Updates a second, in total for all connections. */
const updateRate = 10_000;
const mebibyte = 2 ** 20;
/** Unmeasured rounds of updates, one update for each connection. */
const warmUp = 5;

/**
 * This process serves clients in another process. Measures its memory once each client has a session, and its processor time for an update
 * while it sends updates to all connections in turn.
 */
export async function measureConnections({ seconds }: Setup, serve: (server: Server) => void): Promise<Sample> {
  const sessions = reachSessions();
  const { server, port } = await listening();
  serve(server);
  await using generator = await LoadGenerator.start();
  await generator.connect(port, connections);
  if (sessions.size !== connections) throw new Error(`${sessions.size} of ${connections} sessions were opened`);
  const idle = residentAfterCollection();
  let sent = 0;
  const rounds = Math.ceil(5 * seconds);
  // This warm-up allocates the memory of each connection, and lets V8 compile most code.
  await sendRounds(warmUp);
  await generator.received(connections * warmUp);
  const before = process.cpuUsage();
  await sendRounds(rounds);
  await generator.received(connections * (rounds + warmUp));
  const { user, system } = process.cpuUsage(before);
  return {
    figures: {
      'ws-connections': idle / mebibyte,
      'ws-connections-loaded': process.memoryUsage.rss() / mebibyte,
      'ws-cpu': (user + system) / (connections * rounds),
    },
  };

  /** Sends rounds of updates, one for each connection, at a rate: late updates are sent as soon as possible. */
  async function sendRounds(count: number): Promise<void> {
    const [first] = sessions.keys();
    const pool = updatesOf('small-update', first ?? '').map(({ update }) => update);
    const targets = [...sessions];
    const start = performance.now();
    const end = sent + count * connections;
    const already = sent;
    while (sent < end) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const due = Math.min(end, already + ((performance.now() - start) / 1000) * updateRate);
      for (; sent < due; sent++) {
        const [sessionId, send] = targets[sent % connections]!;
        void send({ sessionId, update: pool[Math.floor(sent / connections) % pool.length]! });
      }
    }
  }
}
