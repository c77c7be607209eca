import { examineAgent, type ExamineOptions, examineRemoteAgent, type Finding } from '@turnwire/client/node';
import { agentCommand, type AgentCommand } from '../driving/agent-command.ts';
import { placedVersions } from '../driving/placed-agent.ts';
import { placedWords } from '../driving/placed-words.ts';
import { agentEntries } from '../agents/agent-entries.ts';
import { clientInfo } from '../driving/drive.ts';
import { offeredVersions } from '../driving/offered-versions.ts';
import { exitCodes } from '../exit-codes.ts';
import { warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { mcpServersOf } from '../driving/session-setup.ts';
import { connectedWords } from '../driving/remote-agent.ts';
import { Stopping } from '../stopping.ts';
import { stdout } from '../terminal/output.ts';
import { wrapWords } from '../terminal/text-width.ts';
import { FindingLines, pageWidth } from './doctor/finding-lines.ts';
import { authorizationAdvice, loginAdvice, missingAdvice } from './doctor/advice.ts';

/** The arguments of `doctor`. */
export interface DoctorArguments {
  readonly prompt?: string | undefined;
  /** The time limit of each answer, in seconds. */
  readonly timeout?: number | undefined;
  /** Set if no agent was named: then the installed agents are listed as well. */
  readonly isForAll: boolean;
}

/** Examines an agent and prints the findings. Resolves with the exit code: 1 if a layer failed. */
export async function doctor(args: DoctorArguments, options: GlobalOptions): Promise<number> {
  const named = await agentCommand(options);
  // The layers examine the command as it starts: the program of the prefix is the one on this machine.
  const command = { ...named, words: placedWords(named.words, named.place, options.cwd) };
  const mcpServers = await mcpServersOf(
    options.mcpConfig ?? options.config.mcpConfig ?? options.config.mcpServers,
    options.cwd,
  );
  using stopping = new Stopping(undefined);
  const printer = printerFor(options, command);
  let failed: string | undefined;
  try {
    const findings = await examined(command, options, {
      ...examination(command, args, options),
      mcpServers,
      versions: placedVersions(await offeredVersions(command.protocol), command.place, options.cwd),
      signal: stopping.signal,
    });
    for await (const finding of findings) {
      if (finding.verdict === 'failed') failed ??= finding.layer;
      printer.print(advised(finding, command, options));
    }
  } catch (error) {
    if (!stopping.reason) throw error;
    if (stopping.reason.message) warn(stopping.reason.message);
    return stopping.reason.exitCode;
  }
  printer.end(failed);
  if (args.isForAll && options.format === 'text') await listInstalled(options);
  return failed === undefined ? exitCodes.ok : exitCodes.error;
}

/** Examines the agent. A remote agent is connected directly, without a process in between. */
async function examined(
  { words, inheritEnv }: AgentCommand,
  { cwd }: GlobalOptions,
  examineOptions: ExamineOptions,
): Promise<AsyncIterable<Finding>> {
  const connected = connectedWords(words);
  if (connected === undefined) return examineAgent(words, examineOptions);
  const { remoteAgent, remoteEnvironment, remoteTransport } = await import('../driving/remote-connection.ts');
  const remote = remoteAgent(connected, { env: remoteEnvironment(inheritEnv, examineOptions.env), cwd });
  return examineRemoteAgent({ ...remote, connect: () => remoteTransport(remote) }, examineOptions);
}

function examination(
  { env, inheritEnv, differences }: AgentCommand,
  { prompt, timeout }: DoctorArguments,
  { cwd }: GlobalOptions,
): ExamineOptions {
  const limit = timeout === undefined ? undefined : timeout * 1000;
  return {
    cwd,
    env: { ...differences?.environment, ...env },
    inheritEnv,
    clientInfo: clientInfo(),
    prompt,
    timeouts: {
      ...(limit !== undefined && { initialize: limit, newSession: limit, turn: limit }),
      ...(differences?.exitTimeout !== undefined && { exit: differences.exitTimeout }),
    },
  };
}

/** Adds the advice that is specific to this command to a finding. */
function advised(finding: Finding, command: AgentCommand, options: GlobalOptions): Finding {
  const { layer, verdict, advice } = finding;
  const more =
    layer === 'login' && verdict === 'warning'
      ? loginAdvice(finding, command.words, options)
      : layer === 'command' && verdict === 'failed'
        ? missingAdvice(command.words)
        : layer === 'http' && verdict === 'failed'
          ? authorizationAdvice(finding)
          : undefined;
  return more === undefined
    ? finding
    : { ...finding, advice: [...(advice === undefined ? [] : [advice]), more].join('\n') };
}

/** Prints findings in the requested format, and then the first layer that failed. */
interface Printer {
  print(finding: Finding): void;
  end(failed: string | undefined): void;
}

function printerFor({ format }: GlobalOptions, { words }: AgentCommand): Printer {
  if (format === 'json') return { print: (finding) => stdout.printJson(JSON.stringify(finding)), end: () => undefined };
  if (format === 'quiet') return { print: () => undefined, end: (failed) => print(failed ?? 'ok') };
  const lines = new FindingLines(stdout.paint, print);
  lines.begin(words);
  return lines;
}

async function listInstalled({ cwd }: GlobalOptions): Promise<void> {
  const entries = (await agentEntries(cwd)).filter(({ source }) => source !== 'built-in');
  const isHere = ({ path, lacks }: (typeof entries)[number]): boolean => path !== undefined && lacks === undefined;
  const here = entries.filter(isHere).map(({ name }) => name);
  const missing = entries.filter((entry) => !isHere(entry)).map(({ name }) => name);
  const prose = (text: string): void => wrapWords(text, pageWidth()).forEach(print);
  print('');
  prose(`Other agents on this machine, not examined: ${here.length > 0 ? here.join(', ') : 'none'}.`);
  if (missing.length > 0) prose(`Known, but not installed: ${missing.join(', ')}.`);
  print('Examine one of them with turnwire doctor NAME.');
}

function print(line: string): void {
  stdout.printLine(line);
}
