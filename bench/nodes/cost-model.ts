import { table } from '../table.ts';
import type { TrialFigure } from '../gateway/trial.ts';

/** Measured figures that the model uses. */
interface Measured {
  /** Processor time of a node for an update, in microseconds: `three-cpu-one`. */
  readonly update: number;
  /** The time from the kill of a node with so many sessions until the last client has reconnected, in seconds: `takeover`. */
  readonly takeover: { readonly sessions: number; readonly seconds: number };
}

/** Assumptions, and figures from other measurements. */
const assumed = {
  /** A user's prompts in a day, most in the middle of it, the hours of the day, the duration of a turn and its updates a second. */
  turnsPerDay: 30,
  hours: 10,
  turnSeconds: 90,
  updatesPerSecond: 6,
  /** Bytes of an event in the database, with its index and its text of 300 characters, and bytes of its write-ahead log. */
  eventBytes: 425,
  writtenBytes: 900,
  daysKept: 30,
  /** Bytes of an attached session on its node, without its agent, and on another node if its client is connected there, as two thirds are. */
  sessionBytes: 60_000,
  ledOn: 2 / 3,
  /** Processor time of PostgreSQL for an update, in microseconds. */
  databaseUpdate: 20,
  /** The resources of a node, which uses one core for most of its work, and the share of them that may be used. */
  nodeBytes: 4e9,
  nodeSockets: 20_000,
  nodeLoad: 0.6,
  /** The time until a killed node is removed, in seconds: its next renewal is overdue, and another node has tried to reach it. */
  removal: 3.5,
} as const;

/** The needs of a number of attached sessions. */
interface Needs {
  readonly sessions: number;
  /** Turns that run at the same time in the busiest minute of the day, and their updates a second. */
  readonly turns: number;
  readonly updates: number;
  /** Nodes, one more than the load needs, and the resource that limits them. */
  readonly nodes: number;
  readonly bound: string;
  readonly databaseCores: number;
  readonly databaseGigabytes: number;
  readonly writtenMegabytesPerSecond: number;
  /** The time until the last client of a killed node has reconnected. */
  readonly recoverySeconds: number;
}

/** Simulates a day of users, minute by minute: turns start at random, with a probability that depends on the hour, and have random durations. */
function simulated(sessions: number, measured: Measured, random: () => number = seeded(42)): Needs {
  const { turnsPerDay, hours, turnSeconds, updatesPerSecond, daysKept } = assumed;
  const minutes = hours * 60;
  const running = new Float64Array(minutes + 120);
  for (let minute = 0; minute < minutes; minute++) {
    const likely = 1 + Math.sin((minute / minutes) * Math.PI * 2 - Math.PI / 2);
    const begun = poisson((sessions * turnsPerDay * likely) / minutes, random);
    // Durations of turns have a long tail: each group of turns gets one of them.
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
  // The other nodes share the sessions of a killed node, each as fast as the measured one.
  const perNode = sessions / nodes;
  const perSession = Math.max(0, measured.takeover.seconds - assumed.removal) / measured.takeover.sessions;
  return {
    sessions,
    turns,
    updates,
    nodes,
    bound,
    databaseCores: (updates * databaseUpdate) / 1e6 / nodeLoad,
    databaseGigabytes: (eventsPerDay * daysKept * eventBytes) / 1e9,
    writtenMegabytesPerSecond: (updates * writtenBytes) / 1e6,
    recoverySeconds: assumed.removal + (perNode * perSession) / Math.max(1, nodes - 1),
  };
}

/** The model as Markdown; undefined if a figure that it uses was not measured. */
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
  // Approximated by the normal distribution, which is close enough for counts of this size.
  const deviation = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(0, mean + Math.sqrt(mean) * deviation);
}

/** Pseudo-random numbers, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
