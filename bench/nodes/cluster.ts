import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { TokenFile } from '@turnwire/gateway';
import type { ThrowAwayPostgres } from '../../packages/cluster/test/postgres/throw-away-postgres.ts';
import { GatewayClient } from '../gateway/gateway-client.ts';
import type { TrialFigure } from '../gateway/trial.ts';
import type { StampReader } from '../gateway/stamp-reader.ts';
import type { NodeSetting } from './node-process.ts';
import { RunningNode } from './running-node.ts';

/** A stress test of nodes. */
export interface NodesTrial {
  readonly name: string;
  readonly setting: Pick<NodeSetting, 'lease' | 'agents'>;
  run(cluster: Cluster, effort: { readonly isQuick: boolean }): Promise<readonly TrialFigure[]>;
}

/** Clients that connect at the same time. */
const atOnce = 200;

/** Nodes that share a new database. */
export class Cluster implements AsyncDisposable {
  readonly #nodes: RunningNode[] = [];
  readonly #setting: NodeSetting;
  readonly #token: string;
  readonly #schema: string;
  readonly server: ThrowAwayPostgres;

  private constructor(server: ThrowAwayPostgres, parts: { setting: NodeSetting; token: string; schema: string }) {
    this.server = server;
    this.#setting = parts.setting;
    this.#token = parts.token;
    this.#schema = parts.schema;
  }

  static async on(
    server: ThrowAwayPostgres,
    { folder, lease, agents }: { readonly folder: string } & Pick<NodeSetting, 'lease' | 'agents'>,
  ): Promise<Cluster> {
    const schema = `bench_${randomUUID().replaceAll('-', '')}`;
    await server.execute(`CREATE SCHEMA ${schema}`);
    const tokens = join(folder, `${schema}.json`);
    const { token } = await new TokenFile(tokens).create({
      label: 'bench',
      tenant: 'bench',
      scope: 'control',
      expiresAt: null,
    });
    const secret = randomBytes(32).toString('hex');
    const setting = { database: server.url(schema), tokens, secret, lease, agents };
    return new Cluster(server, { setting, token, schema });
  }

  /** @param ports proxies: the port by which the node reaches the database, and the one at which other nodes reach it */
  async start(ports?: { readonly database: number; readonly door: number }): Promise<RunningNode> {
    const database = ports === undefined ? this.#setting.database : this.server.url(this.#schema, ports.database);
    const node = await RunningNode.start({ ...this.#setting, database, door: ports?.door });
    this.#nodes.push(node);
    return node;
  }

  /** How many rows a table has. */
  async count(table: 'nodes' | 'events'): Promise<number> {
    return Number(await this.server.execute(`SELECT count(*) FROM ${this.#schema}.turnwire_${table}`));
  }

  connect({ url }: RunningNode, reader: StampReader, cursor?: string): Promise<GatewayClient> {
    return GatewayClient.connect({ url, token: this.#token }, reader, cursor);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.kill()));
  }
}

/** Runs work `count` times, at most 200 at the same time. */
export async function together(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const runInOrder = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, runInOrder));
}
