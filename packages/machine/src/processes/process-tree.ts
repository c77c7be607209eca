import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessRow, type ProcessTable, systemTable } from './process-table.ts';
import { killWindowsTree } from './windows-tree.ts';

const poll = 20;

/** How long the steps of an end may take, in milliseconds. */
export interface EndSteps {
  /** Between SIGTERM and SIGKILL. */
  readonly terminate: number;
  /** After the first SIGKILL, which is repeated: a process may be starting others. */
  readonly kill: number;
}

/**
 * A process we started and all that came of it: its session, its descendants, and whatever carries its mark although it left
 * both, such as a daemon. Told apart from others that got a used pid by when they started.
 * Missed: what left the session, lost its parent and has a cleared environment, before anybody looked. On Windows it is what
 * `taskkill /T` finds.
 */
export class ProcessTree {
  readonly leader: number;
  /** When the leader started. */
  readonly start: number;
  readonly #mark: string;
  readonly #table: ProcessTable | undefined;
  /** Those seen at the last look. */
  #members: readonly ProcessRow[] = [];

  /** Of a process that was started just now, so that its pid is its own. */
  constructor(leader: number, mark: string, table: ProcessTable | undefined = systemTable()) {
    this.leader = leader;
    this.#mark = mark;
    this.#table = table;
    this.start = table?.startOf(leader) ?? 0;
  }

  /** Takes note of who belongs to it now. What is seen once is known even when it has left its parent. */
  look(): readonly number[] {
    this.#members = this.#table === undefined ? [] : this.#find(this.#table.rows());
    return this.#members.map(({ pid }) => pid);
  }

  /** Looks, and signals all that is there. False if nothing is. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): boolean {
    if (this.#table === undefined) return killWindowsTree(this.leader, signal);
    this.look();
    // The group at once, so that none of it escapes by starting another.
    const isGrouped = ({ group }: ProcessRow): boolean => group === this.leader;
    if (this.#members.some(isGrouped)) send(-this.leader, signal);
    for (const row of this.#members) if (!isGrouped(row)) send(row.pid, signal);
    return this.#members.length > 0;
  }

  /** SIGTERM, and SIGKILL for what does not follow it. Resolves when all is gone, or time is up. */
  async end({ terminate, kill }: EndSteps): Promise<void> {
    if (!this.signal('SIGTERM') || (await this.#isGoneWithin(terminate))) return;
    const deadline = performance.now() + kill;
    while (this.signal('SIGKILL') && performance.now() < deadline) await delay(poll);
  }

  async #isGoneWithin(limit: number): Promise<boolean> {
    const table = this.#table;
    if (table === undefined) return false;
    for (const deadline = performance.now() + limit; performance.now() < deadline; await delay(poll)) {
      // Asks for those it knows before it looks through all there are.
      if (!this.#members.some((row) => table.isRunning(row)) && this.look().length === 0) return true;
    }
    return false;
  }

  #find(all: readonly ProcessRow[]): readonly ProcessRow[] {
    const rows = all.filter(({ start, pid }) => start >= this.start - this.#tolerance && pid !== process.pid);
    const isSessionOurs = !all.some((row) => row.pid === this.leader && !this.#isLeader(row));
    const known = new Map(this.#members.map(({ pid, start }) => [pid, start]));
    const roots = rows.filter(
      (row) =>
        this.#isLeader(row) ||
        known.get(row.pid) === row.start ||
        (isSessionOurs && row.session === this.leader) ||
        row.carries(this.#mark),
    );
    return withDescendants(roots, rows);
  }

  #isLeader({ pid, start }: ProcessRow): boolean {
    return pid === this.leader && Math.abs(start - this.start) <= this.#tolerance;
  }

  get #tolerance(): number {
    return this.#table?.tolerance ?? 0;
  }
}

function withDescendants(roots: readonly ProcessRow[], rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const found = new Set(roots);
  const pids = new Set(roots.map(({ pid }) => pid));
  // A set hands out what is added while it is read.
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
    // It left by itself, or is not ours to end.
  }
}
