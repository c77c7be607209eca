import { join } from 'node:path';
import { GatewayClient } from './gateway-client.ts';
import { RunningGateway } from './running-gateway.ts';
import { StampReader } from './stamp-reader.ts';
import { type Trial, until } from './trial.ts';

/** Updates a second of each session. */
const rate = 1_000;
const sessions = 4;
/** Serials reserved for one turn; no turn uses all of them. */
const perTurn = 1_000_000;

/** Kills gateways and agents at random while they work. Every update that a client received must be in the log once. */
export const kill: Trial = {
  name: 'kill',
  run: async ({ isQuick, folder }) => {
    const kills = isQuick ? 10 : 100;
    const setting = { database: join(folder, 'kill.sqlite'), agents: 'processes' } as const;
    let gateway = await RunningGateway.start(setting);
    const clients = await Promise.all(Array.from({ length: sessions }, () => KilledSession.begin(gateway.url)));
    let gateways = 0;
    for (let round = 0; round < kills; round++) {
      for (const client of clients) client.prompt(round);
      await until('the first update of a turn', () => Math.min(...clients.map((each) => each.updatesOf(round))), 1);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
      const victim = Math.floor(Math.random() * (sessions + 1));
      if (victim < sessions) {
        clients[victim]?.killAgent();
        await Promise.all(clients.map((client) => client.stop()));
        continue;
      }
      gateways++;
      await gateway.kill();
      gateway = await RunningGateway.start(setting);
      await Promise.all(clients.map((client) => client.comeBack(gateway.url)));
    }
    const wrong = await Promise.all(clients.map((client) => client.compareWithLog(gateway.url)));
    await gateway.kill();
    const total = (name: 'lost' | 'doubled' | 'updates'): number => wrong.reduce((sum, each) => sum + each[name], 0);
    return [
      { name: 'kill', unit: `lost of ${total('updates')} updates`, value: total('lost'), atMost: 0 },
      { name: 'kill-doubled', unit: 'updates', value: total('doubled'), atMost: 0 },
      { name: 'kill-gateways', unit: `of ${kills} kills`, value: gateways },
    ];
  },
};

/** A session whose gateway or agent is killed from time to time. */
class KilledSession {
  readonly #sessionId: string;
  readonly #reader: StampReader;
  readonly #agent: { pid: number };
  #client: GatewayClient;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    client: GatewayClient,
    parts: { sessionId: string; reader: StampReader; agent: { pid: number } },
  ) {
    this.#client = client;
    this.#sessionId = parts.sessionId;
    this.#reader = parts.reader;
    this.#agent = parts.agent;
  }

  static async begin(url: string): Promise<KilledSession> {
    const agent = { pid: 0 };
    const reader = new StampReader((stamp) => (agent.pid = stamp.process));
    const client = await GatewayClient.connect(url, reader);
    return new KilledSession(client, { sessionId: await client.begin(), reader, agent });
  }

  prompt(round: number): void {
    const text = `${round * perTurn} ${perTurn} ${rate}`;
    const prompt = [{ type: 'text' as const, text }];
    this.#turn = this.#client.peer
      .request('session/prompt', { sessionId: this.#sessionId, prompt })
      .catch(() => undefined);
  }

  updatesOf(round: number): number {
    return this.#reader.serials.filter((serial) => serial >= round * perTurn).length;
  }

  killAgent(): void {
    process.kill(this.#agent.pid, 'SIGKILL');
  }

  /** Ends the turn, if its agent did not end it. Kills the agent too, because it ignores cancels. */
  async stop(): Promise<void> {
    try {
      this.killAgent();
    } catch {
      // It has already ended.
    }
    await this.#turn;
  }

  /** After the gateway was killed: receives missed updates from the next one. */
  async comeBack(url: string): Promise<void> {
    await this.#turn;
    this.#client = await GatewayClient.connect(url, this.#reader, this.#client.cursor);
    await this.#client.resume(this.#sessionId);
  }

  /** Compares the delivered updates with those that another client receives when it loads the session. */
  async compareWithLog(
    url: string,
  ): Promise<{ readonly updates: number; readonly lost: number; readonly doubled: number }> {
    const reader = new StampReader();
    const other = await GatewayClient.connect(url, reader);
    await other.load(this.#sessionId);
    const logged = reader.serials;
    await until('what is in the log', () => this.#reader.serials.length, logged.length);
    const delivered = this.#reader.serials;
    const whole = new Set(logged);
    const gaps = logged.filter((serial) => serial % perTurn > 0 && !whole.has(serial - 1)).length;
    return {
      updates: delivered.length,
      lost: delivered.filter((serial) => !whole.has(serial)).length + gaps,
      doubled: delivered.length - new Set(delivered).size + logged.length - whole.size,
    };
  }
}
