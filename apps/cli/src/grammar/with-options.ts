import { type Command, CommanderError } from 'commander';
import { BrokenConfig } from '../config/config-file.ts';
import { type ReadConfig, readConfig } from '../config/read-config.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, complain, complainAsJson, explain, whereFrom } from '../failure.ts';
import { decisionWrites } from '../permission/pending-writes.ts';
import { completed, type GivenOptions, type GlobalOptions } from '../options.ts';

/** The parsed command line. */
export interface GivenWords {
  readonly given: GivenOptions;
  readonly agentName: string | undefined;
  readonly writesDocuments: boolean;
}

/** Runs a command with the options completed by the configuration. Resolves with its exit code, also if it failed. */
export async function withOptions(
  program: Command,
  { given, agentName, writesDocuments }: GivenWords,
  work: (options: GlobalOptions) => Promise<number>,
): Promise<number> {
  const read = await configured(program, given);
  const options = completed(given, agentName, read);
  refuseUnfit(program, { given, agentName, writesDocuments }, options);
  complainAsJson(options.jsonStrict === true);
  for (const warning of read.warnings) complain(warning);
  try {
    return await work(await withPolicy(options));
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    if (error instanceof CommandError && error.exitCode === exitCodes.usage)
      return program.error(`error: ${error.message}`);
    complain(`${explain(error)}${whereFrom(error, options)}`);
    return error instanceof CommandError ? error.exitCode : exitCodes.error;
  } finally {
    await decisionWrites.settled();
  }
}

/** Options that do not go together, or not with the command. */
function refuseUnfit(program: Command, { agentName, writesDocuments }: GivenWords, options: GlobalOptions): void {
  if (agentName !== undefined && options.agent !== undefined)
    program.error(`error: name an agent (${agentName}) or give its command with --agent, not both`);
  if (options.documentFormat !== undefined && !writesDocuments)
    program.error(
      `error: option '--format <format>' argument '${options.documentFormat}' is invalid. Allowed choices are text, json, quiet.`,
    );
  if (options.jsonStrict && options.format !== 'json') program.error('error: --json-strict needs --format json');
}

/** The options, with the permission policy they name read. */
async function withPolicy(options: GlobalOptions): Promise<GlobalOptions> {
  const given = options.policy ?? options.permissionPolicy;
  if (given === undefined) return options;
  const { readPolicyOption } = await import('../permission/read-policy-option.ts');
  return { ...options, permission: { ...options.permission, policy: readPolicyOption(given) } };
}

async function configured(program: Command, { cwd }: GivenOptions): Promise<ReadConfig> {
  try {
    return await readConfig(cwd);
  } catch (error) {
    if (error instanceof BrokenConfig) return program.error(`error: ${error.message}`);
    throw error;
  }
}
