import type { RuleEffect } from '@turnwire/permissions';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { GivenPlace } from '../commands/permissions/given-place.ts';
import type { ImportGiven } from '../commands/permissions/import-permissions.ts';
import { footer } from './help-footer.ts';
import { permissionsHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

const lazily = { change: () => import('../commands/permissions/change-permissions.ts') };

/** Completes the command `permissions`. */
export function addPermissions(permissions: Command, invocation: Invocation): void {
  permissions
    .description('list, test, add, import, remove and accept rules about what agents may do')
    .addHelpText('after', footer(permissionsHelp));
  withPlace(permissions.command('list', { isDefault: true }), 'only ')
    .description('list the rules in force in this folder, with where each comes from')
    .allowExcessArguments(false)
    .action((place: GivenPlace) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/list-permissions.ts')).listPermissions(place, options),
      ),
    );
  withRule(permissions.command('add'))
    .description('add a rule to the file of the project, or to your own')
    .action((effect: RuleEffect, text: string, place: GivenPlace) =>
      invocation.run(async (options) => (await lazily.change()).addPermission({ ...place, effect, text }, options)),
    );
  withRule(permissions.command('remove'))
    .description('remove a rule from the file of the project, or from your own')
    .action((effect: RuleEffect, text: string, place: GivenPlace) =>
      invocation.run(async (options) => (await lazily.change()).removePermission({ ...place, effect, text }, options)),
    );
  permissions
    .command('test')
    .argument('<what...>', 'a command, or what is done as in a rule, such as "Read(.env)"')
    .description('say what would be decided about a command, by which rule, and why')
    // Options of the command that is asked about.
    .allowUnknownOption()
    .action((words: readonly string[]) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/test-permission.ts')).testPermission(words, options),
      ),
    );
  withPlace(permissions.command('import'), 'add to ')
    .argument('[file]', 'default: .claude/settings.json of the project, with --user your own')
    .option('--dry-run', 'only print the rules')
    .description('add the permission rules in settings of Claude Code')
    .action((file: string | undefined, given: Omit<ImportGiven, 'file'>) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/import-permissions.ts')).importPermissions({ ...given, file }, options),
      ),
    );
  permissions
    .command('accept')
    .argument('[rule...]', 'rules of the project, as they are written there (default: all)')
    .description('accept allow rules of this project, so that they apply')
    .action((texts: readonly string[]) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/accept-permissions.ts')).acceptPermissions(texts, options),
      ),
    );
}

function withRule(command: Command): Command {
  const text = new Argument('[rule]', 'the rule, such as "Bash(git *)"');
  return withPlace(command, '')
    .usage('[options] <effect> <rule>')
    .addArgument(effectArgument())
    .addArgument(text)
    .hook('preAction', ({ args: [effect, rule] }) => {
      if (rule === undefined) command.error(`error: give a rule after ${effect}, such as "Bash(git *)"`);
    });
}

function effectArgument(): Argument {
  const effects = ['allow', 'ask', 'deny'];
  return new Argument('<effect>', 'what the rule does').choices(effects).argParser((given: string) => {
    if (!effects.includes(given)) throw new InvalidArgumentError('Say allow, ask or deny first, then the rule.');
    return given;
  });
}

function withPlace(command: Command, only: string): Command {
  return command
    .addOption(
      new Option('--project', `${only}the rules of this project${only === '' ? ' (default)' : ''}`).conflicts('user'),
    )
    .option('--user', `${only}your own rules, for all projects`);
}
