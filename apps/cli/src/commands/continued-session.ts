import { readConfig } from '../config/read-config.ts';
import { agentChoice } from '../driving/agent-command.ts';
import { refuseOtherPlace } from '../session-places/in-place.ts';
import { agentSessions, withListed } from '../driving/agent-sessions.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { completed, type GlobalOptions } from '../options.ts';
import { knownSessions, matchingSessions, shortIds } from '../store/known-sessions.ts';
import type { KnownSession } from '../store/known-sessions.ts';
import { type AgentChoice, agentKey, agentTitle } from '../store/session-record.ts';
import { choosePlainly } from '../questions/plain-choice.ts';
import { dialogOver } from '../questions/terminal-dialog.ts';
import { ago } from '@turnwire/client/view';
import { TypedLines } from '../terminal/lines.ts';
import { stderr } from '../terminal/output.ts';

/** The options that select the session to continue. Without them a new session starts. */
export interface ContinueArguments {
  /** Continue the last session of the folder. */
  readonly continue?: true;
  /** The start of an id, a name, or words of a session; true if the user chooses from a list. */
  readonly resume?: string | true;
}

/** The options for the session: those of its agent and its folder. */
export interface Continued {
  readonly options: GlobalOptions;
  /** The session to continue; undefined for a new session. */
  readonly session?: KnownSession;
}

/** Finds the session to continue. Rejects with CommandError, exit code 4, if none matches, or if several match without a user to ask. */
export async function continuedSession(args: ContinueArguments, options: GlobalOptions): Promise<Continued> {
  if (args.continue === undefined && args.resume === undefined) return { options };
  const known = (await knownSessions()).filter((session) => isWithAgent(session, options));
  const session = await chosen(args, await withAgentsOwn(args, known, options), options);
  await refuseOtherPlace(session.cwd, options);
  return { session, options: await optionsFor(session, options) };
}

/** Adds the agent's own list, which has sessions of other clients, such as editors. It is needed for a choice, or if no known session matches. */
async function withAgentsOwn(
  { resume }: ContinueArguments,
  known: readonly KnownSession[],
  options: GlobalOptions,
): Promise<readonly KnownSession[]> {
  if (resume === undefined || (resume !== true && matchingSessions(resume, known).length > 0)) return known;
  return withListed(known, await agentSessions(resume === true ? options.cwd : undefined, options, mostListed));
}

function isWithAgent({ agent }: KnownSession, options: GlobalOptions): boolean {
  return !options.isAgentNamed || agentKey(agent) === agentKey(agentChoice(options));
}

async function chosen(
  { resume }: ContinueArguments,
  known: readonly KnownSession[],
  { cwd }: GlobalOptions,
): Promise<KnownSession> {
  const here = known.filter((session) => session.cwd === cwd);
  if (resume === undefined)
    return here.find(({ isServed }) => !isServed) ?? refuse(`there is no session to continue in ${cwd}`);
  if (resume === true) return choose(here, known, `there is no session to resume in ${cwd}`);
  const found = matchingSessions(resume, known);
  const near = found.filter((session) => session.cwd === cwd);
  const fitting = near.length > 0 ? near : found;
  if (fitting.length === 1) return fitting[0] as KnownSession;
  return choose(fitting, known, `no session matches ${JSON.stringify(resume)}`);
}

/** The maximum number of sessions to read from the agent's own list. */
const mostListed = 500;

/** The maximum number of sessions in a question. */
const mostChoices = 20;

async function choose(
  fitting: readonly KnownSession[],
  known: readonly KnownSession[],
  none: string,
): Promise<KnownSession> {
  if (fitting.length === 0) refuse(none);
  const ids = shortIds(known);
  const lines = fitting.slice(0, mostChoices).map((session) => ({
    label: `${ids.get(session) ?? ''}  ${session.words}`,
    detail: `${ago(Date.now() - session.lastUsedAt)}, ${agentTitle(session.agent)}, ${session.cwd}`,
    value: session,
  }));
  if (!process.stdin.isTTY || !stderr.isTerminal)
    throw new CommandError(
      `several sessions match; name one:\n${lines.map(({ label, detail }) => `  ${label}: ${detail}`).join('\n')}`,
      exitCodes.noSession,
    );
  const dialog = dialogOver({
    lines: new TypedLines({ input: process.stdin, output: stderr }),
    write: (text) => stderr.print(text),
    onInterrupt: () => undefined,
  });
  const answer = await choosePlainly(dialog, { title: 'Which session?', choices: lines });
  return answer ?? refuse('no session was chosen');
}

function refuse(message: string): never {
  throw new CommandError(`${message}. See turnwire sessions list --all`, exitCodes.noSession);
}

/** The options with the configuration of the session's folder, which may configure the session's agent. */
async function optionsFor({ agent, cwd }: KnownSession, options: GlobalOptions): Promise<GlobalOptions> {
  return optionsWith(agent, { ...options, cwd }, cwd === options.cwd ? options : await readConfig(cwd));
}

/** The options with another agent and its configuration. */
export function optionsWith(
  agent: AgentChoice,
  options: GlobalOptions,
  read: Parameters<typeof completed>[2] = options,
): GlobalOptions {
  const { agent: _given, ...rest } = options;
  const args = { ...rest, ...(agent.command !== undefined && { agent: agent.command }) };
  const { permission, ...found } = completed(args, agent.name, read);
  const { policy } = options.permission;
  return { ...found, permission: { ...permission, ...(policy && { policy }) } };
}
