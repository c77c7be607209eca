import type { Command } from 'commander';
import type { CommandLineOptions } from '../options.ts';
import { footer } from './help-footer.ts';
import { agentsHelp, doctorHelp } from './agent-help-texts.ts';
import type { Invocation } from './invocation.ts';

const lazily = {
  list: () => import('../commands/agents/list-agents.ts'),
  show: () => import('../commands/agents/show-agent.ts'),
  get: () => import('../commands/agents/get-agent.ts'),
  change: () => import('../commands/agents/change-agents.ts'),
  accept: () => import('../commands/agents/accept-agent.ts'),
};

interface AddOptions {
  readonly fromRegistry?: string;
  readonly project?: true;
  readonly replace?: true;
}

/** Defines the command `agents`. */
export function addAgents(agents: Command, invocation: Invocation): void {
  agents.description('list, show, add, download, accept and remove agents').addHelpText('after', footer(agentsHelp));
  agents
    .command('list', { isDefault: true })
    .description('list the agents that can be named here, with the commands that start them')
    .option('--registry', 'list the agents of the public registry instead; it is fetched at most once a day')
    .allowExcessArguments(false)
    .action(({ registry }: { readonly registry?: true }) =>
      invocation.run(async (options) =>
        registry ? (await lazily.list()).listRegistry(options) : (await lazily.list()).listAgents(options),
      ),
    );
  agents
    .command('show')
    .description('show the command, the configuration file and other details of an agent')
    .argument('<name>', 'the name of the agent')
    .action((name: string) => invocation.run(async (options) => (await lazily.show()).showAgent(name, options)));
  agents
    .command('add')
    .description(
      'give a command a name; --env NAME=VALUE sets variables for it, --protocol its version of the protocol',
    )
    .argument('[name]', 'the name of the agent; with --from-registry default: its id')
    .argument('[command...]', 'the command that starts it, after --')
    .option('--from-registry <id>', 'add an agent of the public registry, pinned to its current version')
    .option('--project', 'add it for all users of this project, instead of for you in all projects')
    .option('--replace', 'replace an agent of the same name')
    .action((name: string | undefined, words: readonly string[], args: AddOptions) => {
      const taken = ['help', ...invocation.commandNames];
      return invocation.run(async (options) =>
        (await lazily.change()).addAgent({ ...args, name, words, taken }, options),
      );
    });
  agents
    .command('get')
    .description('download a known agent with npx, in its tested version, and agree to start it')
    .argument('<name>', 'the name of the agent, such as claude')
    .action((name: string) => invocation.run(async (options) => (await lazily.get()).getAgent(name, options)));
  agents
    .command('accept')
    .description('agree to start agents of this project’s configuration, until their entries change')
    .argument('[names...]', 'the names of the agents; default: all that wait for acceptance')
    .action((names: readonly string[]) =>
      invocation.run(async (options) => (await lazily.accept()).acceptAgents(names, options)),
    );
  agents
    .command('remove')
    .description('remove an agent from the configuration')
    .argument('<name>', 'the name of the agent')
    .option('--project', 'remove it from the configuration of the project, instead of your own')
    .action((name: string, { project }: AddOptions) =>
      invocation.run(async (options) => (await lazily.change()).removeAgent(name, project, options)),
    );
}

/** Defines the command `doctor`. */
export function addDoctor(doctor: Command, invocation: Invocation): void {
  doctor
    .description('diagnose whether an agent works, and why if it does not')
    .argument('[agent]', 'the name of the agent; default: the default agent')
    .option('--prompt <text>', 'send this prompt as well; permission requests of the agent are denied')
    .addHelpText('after', footer(doctorHelp))
    .action((named: string | undefined, { prompt }: { readonly prompt?: string }) => {
      const { agent, timeout } = invocation.program.opts<CommandLineOptions>();
      if (named !== undefined && invocation.agentName !== undefined)
        doctor.error(`error: name one agent, not both ${invocation.agentName} and ${named}`);
      invocation.agentName ??= named;
      const isForAll = invocation.agentName === undefined && agent === undefined;
      return invocation.run(async (options) =>
        (await import('../commands/doctor.ts')).doctor({ prompt, timeout, isForAll }, options),
      );
    });
}
