import { moveSession } from '@turnwire/cluster';
import { StoreError } from '@turnwire/runtime';
import { ProtocolError } from '@turnwire/protocol';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { report } from '../report.ts';
import { clusterSecret, databaseOf, type StoreArguments } from './session-store.ts';

/** The arguments of `serve move`. */
export interface MoveArguments extends Pick<StoreArguments, 'store' | 'clusterSecret'> {
  readonly to: string;
  /** How long to wait for a running turn, in seconds. */
  readonly wait: number;
}

/** Moves a session from its server to another one of the same database. Resolves with the exit code. */
export async function moveBetweenServers(
  sessionId: string,
  args: MoveArguments,
  { format }: Pick<GlobalOptions, 'format'>,
): Promise<number> {
  const url = databaseOf(args);
  const secret = clusterSecret(args);
  if (url === undefined || secret === undefined)
    throw new CommandError(
      'sessions move between servers of a database: give --store and --cluster-secret',
      exitCodes.usage,
    );
  const { to, wait: seconds } = args;
  const { number, address } = await moveSession({ url, secret, sessionId, to, seconds }).catch((error: unknown) => {
    const isKnown = error instanceof StoreError || error instanceof ProtocolError;
    throw isKnown ? new CommandError(error.message, exitCodes.error) : error;
  });
  report({ format }, { session: sessionId, node: number, address }, () => `moved to ${address}`);
  return exitCodes.ok;
}
