import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandWords, programPath, withoutProjectPackages } from '@turnwire/client/node';
import { type AgentSubject, commandSubject, remoteSubject } from '@turnwire/conformance';
import { agentCommand } from '../../driving/agent-command.ts';
import { isAgentName } from '../../config/agent-names.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { connectedWords, startableWords } from '../../driving/remote-agent.ts';
import { remoteAgent, remoteTransport } from '../../driving/remote-connection.ts';
import { environmentWith } from '../environment-with.ts';
import { shownCommand } from '../../shown-command.ts';
import type { ReportTargets } from './write-reports.ts';

/** The program to check, with its environment and folders. */
export interface CheckedCommand {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder that --cwd names: a remote agent may work only there. */
  readonly sessionsIn?: string | undefined;
}

/** The arguments and options that can name the agent. */
export interface NamedOnLine {
  readonly words: readonly string[];
  readonly agentName: string | undefined;
  /** The folder that --cwd names. */
  readonly sessionsIn?: string | undefined;
}

/**
 * The agent to check: a command after `--`, the command of `--agent`, or a name. There is no default, because a check starts the agent many
 * times. The agent gets the whole environment, as if it were started by hand.
 * @throws CommandError, exit code 2, if none or several are named, or there is no such program
 */
export async function checkedAgent(
  { words, agentName, sessionsIn, ...targets }: NamedOnLine & ReportTargets,
  options: GlobalOptions,
): Promise<CheckedCommand> {
  const [first, ...more] = words;
  const isName =
    first !== undefined && more.length === 0 && (isAgentName(first, options.config) || options.proposals.has(first));
  const named = [first, agentName, options.agent].filter((each) => each !== undefined);
  if (named.length === 0) throw usage(noAgentNamed(targets, options));
  if (named.length > 1) throw usage(`name one agent, not ${named.join(' and ')}`);
  if (first !== undefined && !isName)
    return runnable(
      { words: startableWords(words), env: environmentWith(options), cwd: options.cwd, sessionsIn },
      targets,
    );
  const command = await agentCommand({ ...options, agentName: first ?? agentName ?? '' });
  const env = { ...process.env, ...command.differences?.environment, ...command.env };
  return runnable({ words: command.words, env, cwd: options.cwd, sessionsIn }, {});
}

/**
 * The subject that runs the command in the user's folder, so that `node agent.js` finds its file. Sessions of the built-in agent go into a
 * temporary folder, because a check creates a hundred of them.
 */
export function subjectOf({ words, env, cwd, sessionsIn }: CheckedCommand): AgentSubject {
  const connected = connectedWords(words);
  if (connected !== undefined) {
    const remote = remoteAgent(connected, { env, cwd });
    const endpoint = { url: remote.url.href, headers: remote.headers };
    return remoteSubject(endpoint, () => remoteTransport(remote), { sessionsIn });
  }
  return {
    name: shownCommand(words),
    open: async ({ home }) => {
      const sessions = { [sessionsVariable]: env[sessionsVariable] ?? checkedSessions() };
      return commandSubject(await withoutProjectPackages(commandWords(words)), { ...env, ...sessions }).open({
        cwd,
        home,
      });
    },
  };
}

const sessionsVariable = 'TURNWIRE_CODER_SESSIONS';
let folder: string | undefined;

function checkedSessions(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'turnwire-check-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}

function noAgentNamed({ json, junit, html, badge }: ReportTargets, { config }: GlobalOptions): string {
  const taken = [json, junit, html, badge].find((target) => typeof target === 'string' && isAgentName(target, config));
  if (taken !== undefined)
    return `check needs an agent, and ${String(taken)} was taken for the file of a report: name the agent before the report`;
  return 'check needs an agent: turnwire check -- COMMAND, or turnwire check NAME. See turnwire check --help';
}

function runnable(command: CheckedCommand, targets: ReportTargets): CheckedCommand {
  const [program = ''] = command.words;
  if (isProgram(program, command)) return command;
  throw usage(`there is no program ${program}${advice(program, command, targets)}`);
}

function isProgram(name: string, { cwd, env }: Omit<CheckedCommand, 'words'>): boolean {
  return programPath(name, { cwd, env }) !== undefined;
}

/** Advice for the probable mistake. */
function advice(program: string, command: CheckedCommand, { json, junit, html, badge }: ReportTargets): string {
  const taken = [json, junit, html, badge].find((target) => typeof target === 'string' && isProgram(target, command));
  if (taken !== undefined) return `, and ${String(taken)} was taken for the file of a report: add -- before the agent`;
  if (!existsSync(resolve(command.cwd, program))) return '';
  return ': the file is not executable. Name the program that runs it first, such as node';
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
