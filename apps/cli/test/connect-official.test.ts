import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { serveAgent } from '@turnwire/agent/node';
import { expect, test } from 'vitest';
import {
  officialStream,
  ourDefinition,
  wholeTurns,
  withOfficialClient,
} from '../../../packages/agent/test/remote-pairings.ts';
import { commandWords, plainEnvironment } from './command.ts';

test.each(['url', 'httpUrl'] as const)(
  'the client of the official SDK drives a remote agent by its %s through turnwire connect',
  async (which) => {
    await using agent = await serveAgent(ourDefinition(), { listen: { token: 'secret' } });
    let leave = (): Promise<unknown> => Promise.resolve();
    const seen = await withOfficialClient(async () => {
      await leave();
      const child = spawn(process.execPath, [...commandWords, 'connect', agent[which]], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...plainEnvironment, TURNWIRE_TOKEN: 'secret' },
      });
      const exited = once(child, 'exit');
      leave = () => {
        child.stdin.end();
        return exited;
      };
      return officialStream(child);
    });
    expect(await leave()).toEqual([0, null]);
    expect(seen).toEqual(wholeTurns);
  },
);
