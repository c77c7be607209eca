import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessRow, type ProcessTable, systemTable } from './process-table.ts';
import { killWindowsTree } from './windows-tree.ts';

const poll = 20;

/** Time limits of ending a tree, in milliseconds. */
export interface EndSteps {
  /** Between SIGTERM and SIGKILL. */
  readonly terminate: number;
  /** After the first SIGKILL, which is repeated: a process may be starting others. */
  readonly kill: number;
}

/**
 * A process we started and all processes that came from it: its session, its descendants, and any that carry its mark although they left both, such
 * as daemons. Reused pids are detected by start time. A process is missed if it left the session, lost its parent and cleared its environment before
 * the tree was read. On Windows, `taskkill /T` finds the tree.
 */
export class ProcessTree {
  readonly leader: number;
  /** Start time of the leader. */
  readonly start: number;
  readonly #mark: string;
  readonly #table: ProcessTable | undefined;
  readonly #tolerance: number;
  /** Processes found at the last reading. */
  #members: readonly ProcessRow[] = [];

  /** For a process that was started just now, so that its pid has not been reused. */
  constructor(leader: number, mark: string, table: ProcessTable | undefined = systemTable()) {
    this.leader = leader;
    this.#mark = mark;
    this.#table = table;
    this.#tolerance = table?.tolerance ?? 0;
    this.start = table?.startOf(leader) ?? 0;
  }

  /**
   * Reads the current members. A process found once stays known even when it has left its parent.
   * @param rows all processes, if they were read just now
   */
  readMembers(rows: readonly ProcessRow[] | undefined = this.#table?.rows()): readonly number[] {
    const ours = (rows ?? []).filter(({ start, pid }) => start >= this.start - this.#tolerance && pid !== process.pid);
    const isSessionOurs = !rows?.some((row) => row.pid === this.leader && !this.#isLeader(row));
    const known = new Map(this.#members.map(({ pid, start }) => [pid, start]));
    const roots = ours.filter(
      (row) =>
        this.#isLeader(row) ||
        known.get(row.pid) === row.start ||
        (isSessionOurs && row.session === this.leader) ||
        row.carries(this.#mark),
    );
    this.#members = withDescendants(roots, ours);
    return this.#members.map(({ pid }) => pid);
  }

  /** Reads the members, and signals them all. False if there are none. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): boolean {
    if (this.#table === undefined) return killWindowsTree(this.leader, signal);
    this.readMembers();
    // Signals the whole group at once, so that no member escapes by starting another process.
    const isGrouped = ({ group }: ProcessRow): boolean => group === this.leader;
    if (this.#members.some(isGrouped)) send(-this.leader, signal);
    for (const row of this.#members) if (!isGrouped(row)) send(row.pid, signal);
    return this.#members.length > 0;
  }

  /** Kills the leader's group without reading the table. Only as soon as the leader has ended, while its pid cannot be another's. */
  killGroup(): void {
    if (this.#table !== undefined) send(-this.leader, 'SIGKILL');
  }

  /** Sends SIGTERM, then SIGKILL to the rest. Resolves when all have ended, or time is up. */
  async end({ terminate, kill }: EndSteps): Promise<void> {
    if (!this.signal('SIGTERM') || (await this.#isGoneWithin(terminate))) return;
    const deadline = performance.now() + kill;
    while (this.signal('SIGKILL') && performance.now() < deadline) await delay(poll);
  }

  async #isGoneWithin(limit: number): Promise<boolean> {
    const table = this.#table;
    if (table === undefined) return false;
    for (const deadline = performance.now() + limit; performance.now() < deadline; await delay(poll)) {
      // Checks the known processes before reading the whole table.
      if (!this.#members.some((row) => table.isRunning(row)) && this.readMembers().length === 0) return true;
    }
    return false;
  }

  #isLeader({ pid, start }: ProcessRow): boolean {
    return pid === this.leader && Math.abs(start - this.start) <= this.#tolerance;
  }
}

function withDescendants(roots: readonly ProcessRow[], rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const found = new Set(roots);
  const pids = new Set(roots.map(({ pid }) => pid));
  // Iteration over a set includes items that are added during it.
  for (const pid of pids) {
    for (const row of rows) {
      if (row.parent !== pid || found.has(row)) continue;
      found.add(row);
      pids.add(row.pid);
    }
  }
  return [...found];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited, or may not be signalled.
  }
}
