import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { takePassedVariables } from '../driving/passed-variables.ts';
import type { CoderFlags, HireableAgents } from '../commands/coder.ts';
import { absolutePath, amount, wholeNumber } from '../option-values.ts';
import type { CommandLineOptions } from '../options.ts';
import { footer } from './help-footer.ts';
import { coderHelp, loginHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

const lazily = { coder: () => import('../commands/coder.ts') };

/** Defines the command `coder` and its subcommands. */
export function addCoder(coder: Command, invocation: Invocation): void {
  coder
    .description('run the built-in agent on stdin and stdout, for an editor to start')
    .allowExcessArguments(false)
    .addHelpText('after', footer(coderHelp));
  for (const option of coderOptions()) coder.addOption(option);
  coder.action(async (own: CoderFlags) => {
    const { program } = invocation;
    const variables = takePassedVariables();
    // Imported on demand: few turns hire another agent.
    const hireable = async (): Promise<HireableAgents> =>
      (await import('../commands/hireable-agents.ts')).hireableAgents(program.opts<CommandLineOptions>(), variables);
    const { coder: serve } = await lazily.coder();
    await serve(flagsOf(program, own), {
      list: async (cwd) => (await hireable()).list(cwd),
      start: async (name, how) => (await hireable()).start(name, how),
    });
  });
  coder
    .command('login')
    .description('store the API key of a model provider')
    .addArgument(providerArgument('the provider of the key'))
    .option('--key-stdin', 'read the key from standard input instead of asking for it')
    .addHelpText('after', footer(loginHelp))
    .action(async (provider: string | undefined, { keyStdin }: { readonly keyStdin?: boolean }) => {
      invocation.exitCode = await (await lazily.coder()).coderLogin(provider, keyStdin);
    });
  coder
    .command('logout')
    .description('delete stored keys')
    .addArgument(providerArgument('the provider of the key; default: all'))
    .action(async (provider: string | undefined) => {
      invocation.exitCode = await (await lazily.coder()).coderLogout(provider);
    });
  coder
    .command('models')
    .description('list the available models and the one in use')
    .allowExcessArguments(false)
    .action(async () => {
      invocation.exitCode = await (await lazily.coder()).coderModels(flagsOf(invocation.program, {}));
    });
}

function coderOptions(): readonly Option[] {
  return [
    new Option('--model <provider/model>', 'the model of new sessions'),
    new Option('--sessions <dir>', 'store sessions in this folder; off: store none').argParser((value) =>
      value === 'off' ? false : absolutePath(value),
    ),
    new Option('--max-steps <count>', 'the maximum number of model calls in a turn; default: 100').argParser(aboveZero),
    new Option('--max-tokens <count>', 'the maximum number of answer tokens in a turn').argParser(aboveZero),
    new Option('--max-cost <amount>', 'the maximum cost of a turn in US dollars, if the price is known').argParser(
      amount,
    ),
    new Option('--wait-for-mcp', 'delay the first prompt until each MCP server is connected or has failed'),
    new Option('--max-minutes <minutes>', 'the maximum duration of a turn in minutes').argParser(aboveZero),
  ];
}

/** The flags of the built-in agent, with those that are options of the whole program. */
function flagsOf(program: Command, own: CoderFlags): CoderFlags {
  const { model, maxCost, systemPrompt, appendSystemPrompt } = program.opts<CommandLineOptions>();
  return {
    ...own,
    ...(model !== undefined && { model }),
    ...(maxCost !== undefined && { maxCost }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { appendSystemPrompt }),
  };
}

function providerArgument(description: string): Argument {
  return new Argument('[provider]', description).choices(['anthropic', 'openai', 'google', 'openrouter']);
}

function aboveZero(value: string): number {
  const count = wholeNumber(value);
  if (count === 0) throw new InvalidArgumentError('Give a whole number greater than 0.');
  return count;
}
