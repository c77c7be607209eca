import { Worker } from 'node:worker_threads';
import { assetPath } from '@turnwire/machine';
import type { Database } from '../postgres/database.ts';
import type { NodeFigures, NodeState } from './node-state.ts';

/** How long the process may take to end by itself when its lease is lost, in milliseconds; then it is killed. */
const grace = 800;

/** What keeps a lease. */
export interface NodeLeaseOptions {
  readonly url: string;
  /** Of the node. */
  readonly number: string;
  /** In milliseconds. */
  readonly lease: number;
  /** Where the driver is, if it is not installed as a package. */
  readonly driver: string;
  /** Called with all nodes, after each renewal. */
  readonly onNodes: (nodes: readonly NodeState[]) => void;
  /** Called once when the node is none any more. The process is killed unless it ends soon. */
  readonly onLost: () => void;
}

/** A row of `turnwire_nodes`. */
export interface NodeRow {
  readonly number: string;
  readonly address: string | null;
  readonly agents: string;
  readonly roots: string;
  readonly started_at: Date;
  readonly clients: number;
  readonly sessions: number;
  readonly awake: number;
  readonly working: number;
  readonly is_draining: boolean;
}

/** The lease of a node, which a thread of its own renews by the clock of the database. */
export class NodeLease {
  readonly #worker: Worker;
  readonly #shared = new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT));
  #figures: (() => NodeFigures) | undefined;

  constructor(options: NodeLeaseOptions) {
    const { url, number, lease, driver } = options;
    this.#worker = new Worker(assetPath('heartbeat.mjs', import.meta.url), {
      workerData: { url, number, lease, driver, grace, figures: this.#shared },
    });
    this.#worker.on('message', (message: { readonly nodes?: readonly NodeRow[] }) => {
      if (message.nodes === undefined) return options.onLost();
      this.#report();
      options.onNodes(message.nodes.map((row) => stateOf(row)));
    });
    // Without it the lease ends in its time, and the next statement is refused.
    this.#worker.on('error', () => options.onLost());
    this.#worker.unref();
  }

  /** @param figures what the node reports with each renewal, from the next one on */
  reportFrom(figures: () => NodeFigures): void {
    this.#figures = figures;
    this.#report();
  }

  /** Renews it no more. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #report(): void {
    if (!this.#figures) return;
    const { clients, sessions, awake, working, isDraining } = this.#figures();
    this.#shared.set([clients, sessions, awake, working, isDraining ? 1 : 0]);
  }
}

/** All nodes of a database, as they are now. Rejects with a StoreError. */
export async function nodesOf(database: Database): Promise<readonly NodeState[]> {
  const rows = await database.query<NodeRow>('SELECT * FROM turnwire_nodes ORDER BY number', []);
  return rows.map((row) => stateOf(row));
}

/** The node of a row. */
export function stateOf(row: NodeRow): NodeState {
  const { number, address, clients, sessions, awake, working } = row;
  return {
    number,
    address,
    agents: JSON.parse(row.agents) as string[],
    roots: JSON.parse(row.roots) as string[],
    startedAt: row.started_at.getTime(),
    clients,
    sessions,
    awake,
    working,
    isDraining: row.is_draining,
  };
}
