import { table } from '../table.ts';
import type { TrialFigure } from '../gateway/trial.ts';

/** What was measured, by which the model counts. */
interface Measured {
  /** Processor time of a node for an update, in microseconds: `three-cpu-one`. */
  readonly update: number;
  /** From the kill of a node with so many sessions to the last that is back, in seconds: `takeover`. */
  readonly takeover: { readonly sessions: number; readonly seconds: number };
}

/** What is assumed, or was measured elsewhere. */
const assumed = {
  /** A user prompts so often in a day of so many hours, most in the middle of it; a turn lasts so long, with so many updates a second. */
  turnsPerDay: 30,
  hours: 10,
  turnSeconds: 90,
  updatesPerSecond: 6,
  /** Bytes of an event in the database with its index, its text of 300 characters included, and of what is written ahead for it. */
  eventBytes: 425,
  writtenBytes: 900,
  daysKept: 30,
  /** Bytes of an attached session on its node, without its agent, and again where its client is connected to another one: two thirds are. */
  sessionBytes: 60_000,
  ledOn: 2 / 3,
  /** Processor time of PostgreSQL for an update, in microseconds. */
  databaseUpdate: 20,
  /** What is given to a node, which uses one core for most of its work, and how much of it may be used. */
  nodeBytes: 4e9,
  nodeSockets: 20_000,
  nodeLoad: 0.6,
  lease: 10,
} as const;

/** What so many attached sessions need. */
interface Needs {
  readonly sessions: number;
  /** Turns that run at the same time, at the worst minute of the day, and updates a second then. */
  readonly turns: number;
  readonly updates: number;
  /** Nodes, one more than the load needs, and what their number is due to. */
  readonly nodes: number;
  readonly bound: string;
  readonly databaseCores: number;
  readonly databaseGigabytes: number;
  readonly writtenMegabytesPerSecond: number;
  /** Until the last client of a killed node is back. */
  readonly recoverySeconds: number;
}

/** A day of so many users, minute by minute: turns begin at random, as often as the hour makes likely, and end after a time of their own. */
function simulated(sessions: number, measured: Measured, random: () => number = seeded(42)): Needs {
  const { turnsPerDay, hours, turnSeconds, updatesPerSecond, daysKept } = assumed;
  const minutes = hours * 60;
  const running = new Float64Array(minutes + 120);
  for (let minute = 0; minute < minutes; minute++) {
    const likely = 1 + Math.sin((minute / minutes) * Math.PI * 2 - Math.PI / 2);
    const begun = poisson((sessions * turnsPerDay * likely) / minutes, random);
    // Turns last as long as they last: each group of them has a time with a long tail.
    for (let group = 0; group < 20; group++) {
      const lasts = (turnSeconds * -Math.log(1 - random())) / 60;
      for (let later = 0; later < Math.max(1, Math.ceil(lasts)) && minute + later < running.length; later++)
        running[minute + later] = (running[minute + later] ?? 0) + (begun / 20) * Math.min(1, lasts - later);
    }
  }
  const turns = Math.max(...running);
  const updates = turns * updatesPerSecond;
  const eventsPerDay = sessions * turnsPerDay * turnSeconds * updatesPerSecond;
  const { sessionBytes, ledOn, nodeBytes, nodeSockets, nodeLoad, databaseUpdate, eventBytes, writtenBytes } = assumed;
  const wanted = {
    processor: (updates * measured.update) / 1e6 / nodeLoad,
    memory: (sessions * sessionBytes * (1 + ledOn)) / nodeBytes / nodeLoad,
    sockets: (sessions * (1 + 2 * ledOn)) / nodeSockets,
  };
  const [bound, most] = Object.entries(wanted).toSorted(([, one], [, other]) => other - one)[0] as [string, number];
  const nodes = Math.ceil(most) + 1;
  // Those of a killed node are divided among the others, each as fast as the one that was measured.
  const perNode = sessions / nodes;
  const perSession = Math.max(0, measured.takeover.seconds - assumed.lease) / measured.takeover.sessions;
  return {
    sessions,
    turns,
    updates,
    nodes,
    bound,
    databaseCores: (updates * databaseUpdate) / 1e6 / nodeLoad,
    databaseGigabytes: (eventsPerDay * daysKept * eventBytes) / 1e9,
    writtenMegabytesPerSecond: (updates * writtenBytes) / 1e6,
    recoverySeconds: assumed.lease * 1.2 + (perNode * perSession) / Math.max(1, nodes - 1),
  };
}

/** The model as Markdown; undefined without the figures it counts by. */
export function costTable(figures: readonly TrialFigure[]): string | undefined {
  const update = figures.find(({ name }) => name === 'three-cpu-one');
  const takeover = figures.find(({ name }) => name === 'takeover');
  if (!update || !takeover) return undefined;
  const sessions = Number(/of (\d+) sessions/.exec(takeover.unit)?.[1]);
  const measured: Measured = { update: update.value, takeover: { seconds: takeover.value, sessions } };
  const rows = [1_000, 10_000, 100_000, 1_000_000].map((sessions) => {
    const needs = simulated(sessions, measured);
    return [
      needs.sessions,
      Math.round(needs.turns),
      Math.round(needs.updates),
      `${needs.nodes} (${needs.bound})`,
      needs.databaseCores.toFixed(1),
      Math.round(needs.databaseGigabytes),
      needs.writtenMegabytesPerSecond.toFixed(1),
      needs.recoverySeconds.toFixed(0),
    ];
  });
  const head =
    'attached sessions,turns at once,updates/s,nodes (bound by),database cores,database GB,written MB/s,recovery s';
  return table(head.split(','), rows);
}

function poisson(mean: number, random: () => number): number {
  // By the normal distribution, which it is close to for what is counted here.
  const deviation = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(0, mean + Math.sqrt(mean) * deviation);
}

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
