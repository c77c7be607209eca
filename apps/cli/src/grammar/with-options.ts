import { type Command, CommanderError } from 'commander';
import { BrokenConfig } from '../config/config-file.ts';
import { readConfig } from '../config/read-config.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn, warnAsJson, explain, whereFrom } from '../failure.ts';
import { jsonOf } from '../read-json-option.ts';
import { decisionWrites } from '../permission/pending-writes.ts';
import { completed, type CommandLineOptions, type GlobalOptions } from '../options.ts';

/** The parsed command line. */
export interface ParsedCommandLine {
  readonly parsed: CommandLineOptions;
  readonly agentName: string | undefined;
  readonly writesDocuments: boolean;
}

/** Runs a command with its options, completed from the configuration. Resolves with the exit code, even if the command fails. */
export async function withOptions(
  program: Command,
  { parsed, agentName, writesDocuments }: ParsedCommandLine,
  work: (options: GlobalOptions) => Promise<number>,
): Promise<number> {
  const read = await readConfig(parsed.cwd).catch((error: unknown) => {
    if (error instanceof BrokenConfig) return program.error(`error: ${error.message}`);
    throw error;
  });
  const options = completed(parsed, agentName, read);
  refuseUnfit(program, { parsed, agentName, writesDocuments }, options);
  warnAsJson(options.jsonStrict === true);
  for (const warning of read.warnings) warn(warning);
  try {
    return await work(await withPolicy(options));
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    if (error instanceof CommandError && error.exitCode === exitCodes.usage)
      return program.error(`error: ${error.message}`);
    warn(`${explain(error)}${whereFrom(error, options)}`);
    return error instanceof CommandError ? error.exitCode : exitCodes.error;
  } finally {
    await decisionWrites.settled();
  }
}

/** Refuses options that exclude each other or do not fit the command. */
function refuseUnfit(
  program: Command,
  { agentName, writesDocuments }: ParsedCommandLine,
  options: GlobalOptions,
): void {
  if (agentName !== undefined && options.agent !== undefined)
    program.error(`error: name an agent (${agentName}) or give its command with --agent, not both`);
  if (options.documentFormat !== undefined && !writesDocuments)
    program.error(
      `error: option '--format <format>' argument '${options.documentFormat}' is invalid. Allowed choices are text, json, quiet.`,
    );
  if (options.jsonStrict && options.format !== 'json') program.error('error: --json-strict needs --format json');
}

/** Reads the permission policy of the options: JSON, or a file with it. Rejects with CommandError, exit code 2, if it is invalid. */
async function withPolicy(options: GlobalOptions): Promise<GlobalOptions> {
  const policy = options.policy ?? options.permissionPolicy;
  if (policy === undefined) return options;
  const { readPolicy } = await import('@turnwire/permissions');
  const read = jsonOf('--policy', policy) as object;
  try {
    readPolicy(read);
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
  return { ...options, permission: { ...options.permission, policy: read } };
}
