import type { Server } from 'node:http';
import type { Sample, Setup } from '../case.ts';
import { residentAfterCollection } from '../wire/memory-cases.ts';
import { reachSessions } from '../wire/script.ts';
import { updatesOf } from '../wire/updates.ts';
import { LoadGenerator } from './load-generator.ts';
import { listening } from './listening.ts';

const connections = 10_000;
/** Updates a second, of all connections together. */
const updateRate = 10_000;
const mebibyte = 2 ** 20;
/** Rounds of updates, one for each connection, before those that are measured. */
const warmUp = 5;

/**
 * This process serves so many clients, which are in another process. Measured are its memory once each client has a session, and its processor
 * time for an update while it sends so many a second, to one connection after the other.
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
  // Not measured: every way that is taken once on each connection is warm, and its memory is there; and V8 has compiled most of
  // what it will compile.
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

  /** An update for each connection, so many times, at the rate that is asked for: what is late is sent as soon as it can be. */
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
