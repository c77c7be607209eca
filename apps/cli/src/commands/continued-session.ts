import { readConfig } from '../config/read-config.ts';
import { agentChoice } from '../driving/agent-command.ts';
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

/** Which session to go on with. Neither: a new one. */
export interface ContinueArguments {
  /** The last one of the folder. */
  readonly continue?: true;
  /** The beginning of an id, a name, or words of one; true: the user chooses. */
  readonly resume?: string | true;
}

/** The options for a session that is gone on with: its agent, in its folder. */
export interface Continued {
  readonly options: GlobalOptions;
  /** Undefined: a new session. */
  readonly session?: KnownSession;
}

/** Finds the session to go on with. Rejects with CommandError, exit code 4, if there is none, or several fit and there is no user to ask. */
export async function continuedSession(args: ContinueArguments, options: GlobalOptions): Promise<Continued> {
  if (args.continue === undefined && args.resume === undefined) return { options };
  const known = (await knownSessions()).filter((session) => isWithAgent(session, options));
  const session = await chosen(args, await withAgentsOwn(args, known, options), options);
  return { session, options: await optionsFor(session, options) };
}

/** Sessions that were begun elsewhere, as in an editor, are looked for where one is to be chosen, or nothing that is known here fits. */
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
  return choose(fitting, known, `there is no session that ${JSON.stringify(resume)} fits`);
}

/** How many sessions of the agent's own are looked at. */
const mostListed = 500;

/** How many sessions a question lists. */
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
      `more than one session fits; name one:\n${lines.map(({ label, detail }) => `  ${label}: ${detail}`).join('\n')}`,
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

/** The configuration of the folder of the session counts: its agent may be one that is configured there. */
async function optionsFor({ agent, cwd }: KnownSession, options: GlobalOptions): Promise<GlobalOptions> {
  return optionsWith(agent, { ...options, cwd }, cwd === options.cwd ? options : await readConfig(cwd));
}

/** The options with another agent, and what is configured for it. */
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
