import type { GivenRule, RuleEffect } from '@turnwire/permissions';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { RuleScope } from '../commands/permissions/rule-scope.ts';
import type { ImportArguments } from '../commands/permissions/import-permissions.ts';
import { footer } from './help-footer.ts';
import { permissionsHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

const lazily = { change: () => import('../commands/permissions/change-permissions.ts') };

/** Defines the command `permissions`. */
export function addPermissions(permissions: Command, invocation: Invocation): void {
  permissions
    .description('list, test, add, import, remove and accept rules for what agents may do')
    .addHelpText('after', footer(permissionsHelp));
  withScope(permissions.command('list', { isDefault: true }), 'only ')
    .description('list the rules in force in this folder with their sources')
    .allowExcessArguments(false)
    .action((scope: RuleScope) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/list-permissions.ts')).listPermissions(scope, options),
      ),
    );
  withRuleArguments(permissions.command('add'))
    .description('add a rule to the file of the project, or to your own')
    .option('--message <text>', 'what a rule that denies says to the model, such as what to do instead')
    .action((effect: RuleEffect, text: string, rest: RuleScope & Pick<GivenRule, 'message' | 'child'>) =>
      invocation.run(async (options) => (await lazily.change()).addPermission({ ...rest, effect, text }, options)),
    );
  withRuleArguments(permissions.command('remove'))
    .description('remove a rule from the file of the project, or from your own')
    .action((effect: RuleEffect, text: string, rest: RuleScope & Pick<GivenRule, 'child'>) =>
      invocation.run(async (options) => (await lazily.change()).removePermission({ ...rest, effect, text }, options)),
    );
  permissions
    .command('test')
    .argument('<what...>', 'a command, or an action in the form of a rule, such as "Read(.env)"')
    .description('print whether a command would be allowed, by which rule, and why')
    // The options belong to the command under test.
    .allowUnknownOption()
    .action((words: readonly string[]) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/test-permission.ts')).testPermission(words, options),
      ),
    );
  withScope(permissions.command('import'), 'add to ')
    .argument('[file]', 'default: .claude/settings.json of the project, with --user your own')
    .option('--dry-run', 'only print the rules')
    .description('add the permission rules from settings of Claude Code')
    .action((file: string | undefined, args: Omit<ImportArguments, 'file'>) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/import-permissions.ts')).importPermissions({ ...args, file }, options),
      ),
    );
  permissions
    .command('accept')
    .argument('[rule...]', 'rules of the project, as written in its file (default: all)')
    .description('accept allow rules of this project, so that they apply')
    .action((texts: readonly string[]) =>
      invocation.run(async (options) =>
        (await import('../commands/permissions/accept-permissions.ts')).acceptPermissions(texts, options),
      ),
    );
}

function withRuleArguments(command: Command): Command {
  const text = new Argument('[rule]', 'the rule, such as "Bash(git *)"');
  return withScope(command, '')
    .usage('[options] <effect> <rule>')
    .addArgument(effectArgument())
    .addArgument(text)
    .option('--child <name>', 'the rule applies to subagents of this name; "*" for all of them')
    .hook('preAction', ({ args: [effect, rule] }) => {
      if (rule === undefined) command.error(`error: give a rule after ${effect}, such as "Bash(git *)"`);
    });
}

function effectArgument(): Argument {
  const effects = ['allow', 'ask', 'deny'];
  return new Argument('<effect>', 'what the rule does').choices(effects).argParser((value: string) => {
    if (!effects.includes(value)) throw new InvalidArgumentError('Give allow, ask or deny first, then the rule.');
    return value;
  });
}

function withScope(command: Command, only: string): Command {
  return command
    .addOption(
      new Option('--project', `${only}the rules of this project${only === '' ? ' (default)' : ''}`).conflicts('user'),
    )
    .option('--user', `${only}your own rules, for all projects`);
}
