import { Worker } from 'node:worker_threads';
import { assetPath } from '@turnwire/machine';
import type { Database } from '../postgres/database.ts';
import type { NodeFigures, NodeState } from './node-state.ts';

/** How long the process may take to end by itself after the lease is lost, in milliseconds; then it is killed. */
const grace = 800;

/** Options of a {@link NodeLease}. */
export interface NodeLeaseOptions {
  readonly url: string;
  /** The number of the node. */
  readonly number: string;
  /** In milliseconds. */
  readonly lease: number;
  /** The URL of the driver, in case it is not installed as a package. */
  readonly driver: string;
  /** Called with all nodes after each renewal. */
  readonly onNodes: (nodes: readonly NodeState[]) => void;
  /** Called once when the lease is lost. The process is killed unless it ends soon. */
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

/** The lease of a node. A separate thread renews it by the clock of the database. */
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
    // Without the thread the lease ends, and the next statement is refused.
    this.#worker.on('error', () => options.onLost());
    this.#worker.unref();
  }

  /** @param figures the load that the node reports with each renewal, from the next one on */
  reportFrom(figures: () => NodeFigures): void {
    this.#figures = figures;
    this.#report();
  }

  /** Stops renewing the lease. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #report(): void {
    if (!this.#figures) return;
    const { clients, sessions, awake, working, isDraining } = this.#figures();
    this.#shared.set([clients, sessions, awake, working, isDraining ? 1 : 0]);
  }
}

/** The current nodes of a database. Rejects with a StoreError. */
export async function nodesOf(database: Database): Promise<readonly NodeState[]> {
  const rows = await database.query<NodeRow>('SELECT * FROM turnwire_nodes ORDER BY number', []);
  return rows.map((row) => stateOf(row));
}

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
