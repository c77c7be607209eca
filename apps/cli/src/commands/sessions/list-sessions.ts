import { agentChoice } from '../../agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { denyAll } from '@turnwire/client';
import { openAgent } from '../../open-agent.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { agentKey, type SessionRecord } from '../../store/session-record.ts';
import { SessionStore } from '../../store/session-store.ts';
import { stdout } from '../../terminal/output.ts';

/** Which sessions to list. */
export interface ListGiven {
  /** Those stored here, whether or not the agent lists any. */
  readonly local?: boolean | undefined;
  /** The cursor of a page of the agent's list. */
  readonly cursor?: string | undefined;
  readonly filterCwd?: string | undefined;
}

/** Lists the agent's sessions if it can list them, else those stored here. Resolves with the exit code. */
export async function listSessions(given: ListGiven, options: GlobalOptions): Promise<number> {
  const isDone = !given.local && (await listOfAgent(given, options));
  if (!isDone) await listLocal(given, options);
  return exitCodes.ok;
}

async function listLocal({ filterCwd }: ListGiven, options: GlobalOptions): Promise<void> {
  const choice = agentChoice(options);
  const { records, damaged } = await new SessionStore().list();
  for (const { message } of damaged) complain(message);
  const own = records.filter(
    (record) => agentKey(record.agent) === agentKey(choice) && (filterCwd === undefined || record.cwd === filterCwd),
  );
  if (options.format === 'json') return stdout.printJson(JSON.stringify(own));
  for (const record of own) stdout.printLine(options.format === 'quiet' ? record.id : localLine(record));
}

function localLine({ id, name, cwd, lastUsedAt, closedAt }: SessionRecord): string {
  return [closedAt === undefined ? id : `${id} [closed]`, name ?? '-', cwd, lastUsedAt].join('\t');
}

/** @returns false if the agent cannot list sessions */
async function listOfAgent({ cursor, filterCwd }: ListGiven, options: GlobalOptions): Promise<boolean> {
  await using agent = await openAgent(options, { permission: denyAll });
  if (!agent.capabilities.sessionCapabilities?.list) return false;
  const page = await agent.peer.request('session/list', {
    ...(cursor !== undefined && { cursor }),
    ...(filterCwd !== undefined && { cwd: filterCwd }),
  });
  if (options.format === 'json') {
    stdout.printJson(JSON.stringify(page));
    return true;
  }
  for (const { sessionId, title, cwd, updatedAt } of page.sessions)
    stdout.printLine(
      options.format === 'quiet'
        ? sessionId
        : [sessionId, title ?? '-', cwd, updatedAt ?? '-'].map((each) => cleanLine(each)).join('\t'),
    );
  if (page.nextCursor) complain(`there are more: --cursor ${page.nextCursor}`);
  return true;
}
