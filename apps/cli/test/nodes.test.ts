import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, attachAgent } from '@turnwire/client';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { postgresPrograms, ThrowAwayPostgres } from '../../../packages/gateway/test/store/throw-away-postgres.ts';
import { type RunningServer, startServer, wholeTurnsAgent } from './running-server.ts';

describe.skipIf(postgresPrograms === undefined)(
  'several servers (skipped where PostgreSQL is not on the machine)',
  () => {
    let database: ThrowAwayPostgres;
    beforeAll(async () => {
      database = await ThrowAwayPostgres.start();
    });
    afterAll(() => database[Symbol.asyncDispose]());

    let folder: string;
    let schema: string;
    let schemas = 0;
    beforeEach(async () => {
      folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-nodes-')));
      schema = `servers_${++schemas}`;
      await database.execute(`CREATE SCHEMA ${schema}`);
      return () => rm(folder, { recursive: true });
    });

    async function server(...words: readonly string[]): Promise<RunningServer> {
      const all = ['--agent', wholeTurnsAgent(), '--store', database.url(schema), '--lease', '2', ...words];
      const running = await startServer(folder, all);
      onTestFinished(() => void (running.child.exitCode === null && running.child.kill('SIGKILL')));
      return running;
    }

    async function connected({ acp, token }: RunningServer): Promise<Agent> {
      const headers = { authorization: `Bearer ${token}` };
      const agent = await attachAgent(connectWebSocket(acp, { headers }));
      onTestFinished(() => void agent.close());
      return agent;
    }

    test('a server that was stopped for longer than its lease ends when it goes on, and nothing it writes counts', async () => {
      const [stopped, other] = [await server(), await server()];
      const agent = await connected(stopped);
      const seen: string[] = [];
      const session = await agent.newSession({
        cwd: folder,
        onUpdate: ({ sessionUpdate }) => void seen.push(sessionUpdate),
      });
      await session.prompt('one');
      session.prompt('second').result.catch(() => undefined);
      await expect.poll(() => seen.length).toBe(2);
      const exited = once(stopped.child, 'exit') as Promise<[number | null]>;
      stopped.child.kill('SIGSTOP');
      const nodes = (): Promise<string> => database.execute(`SELECT count(*) FROM ${schema}.turnwire_nodes`);
      await expect.poll(nodes, { timeout: 30_000 }).toBe('1');
      stopped.child.kill('SIGCONT');
      const [code] = await exited;

      const texts: string[] = [];
      const loaded = await (
        await connected(other)
      ).loadSession?.({
        sessionId: session.id,
        cwd: folder,
        onUpdate: (update) =>
          void ('content' in update && texts.push((update.content as { readonly text: string }).text)),
      });
      const { stopReason } = (await loaded?.prompt('two')) ?? {};
      expect({ code, texts, stopReason }).toEqual({
        code: 7,
        texts: [
          'one',
          'one',
          'second',
          'waiting',
          '[turnwire] The turn was interrupted: its host ended.\n\n',
          expect.stringContaining('[turnwire] The session could not be restored'),
          'two',
        ],
        stopReason: 'end_turn',
      });
    });
  },
);
