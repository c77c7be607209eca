import type { Command } from 'commander';
import { footer } from './help-footer.ts';
import { placesHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

const loaded = () => import('../commands/places/places.ts');

/** Defines the command `places` and its subcommands. */
export function addPlaces(places: Command, invocation: Invocation): void {
  places
    .description('the worktrees, clones and copies in which sessions work: list, compare, merge and remove them')
    .addHelpText('after', footer(placesHelp));
  places
    .command('list', { isDefault: true })
    .description('list the places of this project, and the work in each')
    .option('--all', 'list the places of all projects')
    .allowExcessArguments(false)
    .action((args: { readonly all?: true }) =>
      invocation.run(async (options) => (await loaded()).listPlaces(args, options)),
    );
  named(places, 'open')
    .description('chat in a place, with its last session')
    .action((name: string | undefined) => invocation.run(async (options) => (await loaded()).openPlace(name, options)));
  named(places, 'diff')
    .description('print what changed in a place since it was made; in a pipe, a patch for git apply')
    .action((name: string | undefined) => invocation.run(async (options) => (await loaded()).diffPlace(name, options)));
  named(places, 'apply')
    .description('make the changes of a place in the project, as uncommitted ones')
    .action((name: string | undefined) =>
      invocation.run(async (options) => (await loaded()).applyPlace(name, options)),
    );
  named(places, 'merge')
    .description('merge a place into the branch that is checked out in the project')
    .option('-m, --message <text>', 'commit the uncommitted changes of the place first, with this message')
    .action((name: string | undefined, args: { readonly message?: string }) =>
      invocation.run(async (options) => (await loaded()).mergePlace(name, args, options)),
    );
  named(places, 'remove')
    .description('remove a place and its branch')
    .option('--force', 'also with uncommitted changes and unmerged commits, which are lost')
    .action((name: string | undefined, args: { readonly force?: boolean }) =>
      invocation.run(async (options) => (await loaded()).removePlace(name, args, options)),
    );
  places
    .command('prune')
    .description('remove every place with nothing that would be lost')
    .option('--dry-run', 'only print what would be removed')
    .allowExcessArguments(false)
    .action((args: { readonly dryRun?: true }) =>
      invocation.run(async (options) => (await loaded()).prunePlaces(args, options)),
    );
  places
    .command('accept')
    .description('agree to the set-up command of this project, which prepares new places')
    .allowExcessArguments(false)
    .action(() => invocation.run(async (options) => (await loaded()).acceptSetUp(options)));
}

function named(places: Command, word: string): Command {
  return places
    .command(word)
    .argument('[name]', 'the name of the place; default: the place in which this folder is')
    .allowExcessArguments(false);
}
