import { TokenFile } from '@turnwire/gateway';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { stderr, stdout } from '../../terminal/output.ts';
import { printRows } from '../../output/print-rows.ts';
import { report } from '../report.ts';
import { tokensFile } from './server-files.ts';
import { localTenant } from '../../store/named-session.ts';

/** The options of `serve tokens create`. */
export interface TokenArguments {
  readonly label: string;
  readonly scope: 'observe' | 'control' | 'admin';
  /** The number of days until the token expires; absent: it does not expire. */
  readonly days?: number;
}

type Output = Pick<GlobalOptions, 'format'>;

/** Creates a token and prints it. It is not stored, so it cannot be printed again. */
export async function createToken({ label, scope, days }: TokenArguments, { format }: Output): Promise<number> {
  const expiresAt = days === undefined ? null : Date.now() + days * 86_400_000;
  const { token, record } = await new TokenFile(tokensFile()).create({ label, scope, tenant: localTenant, expiresAt });
  report({ format }, { token, id: record.id }, () => token);
  if (format === 'text') stderr.printLine(`This is the token ${record.id}. It is not shown again.`);
  return exitCodes.ok;
}

/** Lists the tokens without their secrets. */
export async function listTokens({ format }: Output): Promise<number> {
  const tokens = await new TokenFile(tokensFile()).list();
  if (format === 'json') stdout.printJson(JSON.stringify(tokens));
  else if (tokens.length === 0) stdout.printLine('There are no tokens.');
  else
    printRows({
      head: ['id', 'scope', 'expires', 'label'],
      rows: tokens.map(({ id, label, scope, expiresAt }) => [
        id,
        scope,
        expiresAt === null ? 'does not expire' : `until ${new Date(expiresAt).toISOString()}`,
        label,
      ]),
    });
  return exitCodes.ok;
}

/** Revokes a token by its id or the start of it. Its connections end. */
export async function revokeToken(id: string): Promise<number> {
  const tokens = new TokenFile(tokensFile());
  const [found, other] = (await tokens.list()).filter((token) => id !== '' && token.id.startsWith(id));
  if (found && !other && (await tokens.revoke(found.id))) return exitCodes.ok;
  warn(
    other
      ? `several token ids begin with ${id}: give more of the id`
      : `there is no token ${id}: see turnwire serve tokens list`,
  );
  return exitCodes.error;
}
