import type { SessionInfo } from '@turnwire/protocol';
import { agentChoice } from '../../driving/agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { denyAll } from '@turnwire/client';
import { openAgent } from '../../driving/open-agent.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { agentKey, type SessionRecord } from '../../store/session-record.ts';
import { NamedSessions } from '../../store/named-sessions.ts';
import { stdout } from '../../terminal/output.ts';
import { type ShowArguments, showSessions } from './show-sessions.ts';

/** The options of `sessions list`. */
export interface ListArguments extends ShowArguments {
  /** The cursor of the requested page of the agent's list. */
  readonly cursor?: string | undefined;
}

/**
 * Lists the sessions. At a terminal: those that the user can continue. Otherwise: the agent's own list, or the sessions stored here if the
 * agent cannot list sessions. Resolves with the exit code.
 */
export async function listSessions(args: ListArguments, options: GlobalOptions): Promise<number> {
  if (options.format === 'text' && stdout.isTerminal && args.cursor === undefined) return showSessions(args, options);
  const isDone = !args.local && (await listOfAgent(args, options));
  if (!isDone) await listLocal(args, options);
  return exitCodes.ok;
}

async function listLocal({ filterCwd }: ListArguments, options: GlobalOptions): Promise<void> {
  const own = await storedHere(filterCwd, options);
  if (options.format === 'json') return stdout.printJson(JSON.stringify(own));
  for (const record of own) stdout.printLine(options.format === 'quiet' ? record.id : localLine(record));
}

/** The sessions with the agent that are stored here. */
async function storedHere(filterCwd: string | undefined, options: GlobalOptions): Promise<readonly SessionRecord[]> {
  const key = agentKey(agentChoice(options));
  await using sessions = new NamedSessions();
  const records = await sessions.list();
  return records.filter(({ agent, cwd }) => agentKey(agent) === key && (filterCwd === undefined || cwd === filterCwd));
}

/** Sessions created here without a prompt yet, in the form of the agent's list. Many agents list only sessions with a history. */
async function notPrompted(args: ListArguments, options: GlobalOptions): Promise<readonly SessionInfo[]> {
  if (args.cursor !== undefined) return [];
  const records = await storedHere(args.filterCwd, options);
  return records.flatMap(({ sessionId, cwd, name, lastUsedAt, lastPromptAt, closedAt }) =>
    sessionId === undefined || lastPromptAt !== undefined || closedAt !== undefined
      ? []
      : [{ sessionId, cwd, ...(name !== undefined && { title: name }), updatedAt: lastUsedAt }],
  );
}

function localLine({ id, name, cwd, lastUsedAt, closedAt }: SessionRecord): string {
  return [closedAt === undefined ? id : `${id} [closed]`, name ?? '-', cwd, lastUsedAt].join('\t');
}

/** @returns false if the agent cannot list sessions */
async function listOfAgent(args: ListArguments, options: GlobalOptions): Promise<boolean> {
  const { cursor, filterCwd } = args;
  await using agent = await openAgent(options, { permission: denyAll });
  if (!agent.capabilities.sessionCapabilities?.list) return false;
  const listed = await agent.peer.request('session/list', {
    ...(cursor !== undefined && { cursor }),
    ...(filterCwd !== undefined && { cwd: filterCwd }),
  });
  const known = new Set(listed.sessions.map(({ sessionId }) => sessionId));
  const begun = (await notPrompted(args, options)).filter(({ sessionId }) => !known.has(sessionId));
  const page = { ...listed, sessions: [...begun, ...listed.sessions] };
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
  if (page.nextCursor) warn(`there are more: --cursor ${page.nextCursor}`);
  return true;
}
