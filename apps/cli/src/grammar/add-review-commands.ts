import { type Command, Option } from 'commander';
import type { CommitArguments, ReviewArguments } from '../commands/review/review.ts';
import { wholeNumber } from '../option-values.ts';
import { footer } from './help-footer.ts';
import { reviewHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

const loaded = () => import('../commands/review/review.ts');
const comments = () => import('../commands/review/review-comments.ts');

/** Defines the command `review` and its subcommands. */
export function addReview(review: Command, invocation: Invocation): void {
  review
    .description('review what agents changed in this folder: list, accept or reject files and hunks')
    .addHelpText('after', footer(reviewHelp));
  ofTurn(review.command('list', { isDefault: true }))
    .description('list the files and hunks that changed since the last review')
    .allowExcessArguments(false)
    .action((args: ReviewArguments) => invocation.run(async (options) => (await loaded()).listChanges(args, options)));
  ofTurn(review.command('diff'))
    .description('print the changes; in a pipe, a patch for git apply')
    .argument('[what...]', what)
    .action((words: readonly string[], args: ReviewArguments) =>
      invocation.run(async (options) => (await loaded()).printPatch(words, args, options)),
    );
  review
    .command('accept')
    .description('accept changes, so that they are no longer listed')
    .argument('[what...]', what)
    .option('--all', 'accept everything')
    .action((words: readonly string[], args: ReviewArguments) =>
      invocation.run(async (options) => (await loaded()).acceptChanges(words, args, options)),
    );
  ofTurn(review.command('reject'))
    .description('take changes back in the files')
    .argument('[what...]', what)
    .option('--all', 'reject everything')
    .action((words: readonly string[], args: ReviewArguments) =>
      invocation.run(async (options) => (await loaded()).rejectChanges(words, args, options)),
    );
  review
    .command('commit')
    .description('commit what was accepted; other changes stay uncommitted')
    .allowExcessArguments(false)
    .option('-m, --message <text>', 'the message; default: the first line of the first prompt')
    .option('--all', 'accept and commit everything that agents changed')
    .option('--hooks', 'run the hooks of the repository, which an agent may have changed')
    .action((args: CommitArguments) =>
      invocation.run(async (options) => (await loaded()).commitChanges(args, options)),
    );
  addComments(review, invocation);
  review
    .command('turns')
    .description('list the turns that changed files in this folder')
    .allowExcessArguments(false)
    .action(() => invocation.run(async (options) => (await loaded()).listTurns(options)));
}

/** Defines the subcommands for comments. */
function addComments(review: Command, invocation: Invocation): void {
  review
    .command('comment')
    .description('comment on a file or its lines, for the agent; send sends all comments')
    .argument('<where>', 'a file, or lines of it as they are now: src/a.ts:42, src/a.ts:42-48')
    .argument('<text...>', 'the comment')
    .action((where: string, words: readonly string[]) =>
      invocation.run(async (options) => (await comments()).addComment(where, words.join(' '), options)),
    );
  review
    .command('comments')
    .description('print the comments that were not sent, as the prompt that send sends')
    .allowExcessArguments(false)
    .option('--clear', 'remove them')
    .action((args: { readonly clear?: true }) =>
      invocation.run(async (options) => (await comments()).printComments(args, options)),
    );
  review
    .command('send')
    .description('send the comments to the agent, as the next prompt of the session of the folder')
    .allowExcessArguments(false)
    .action(() => invocation.run(async (options) => (await comments()).sendComments(options)));
}

const what = 'files, hunks such as src/a.ts:2, or ids of hunks';

function ofTurn(command: Command): Command {
  return command.addOption(
    new Option('--turn <number>', 'only the changes of this turn; turnwire review turns lists them').argParser(
      wholeNumber,
    ),
  );
}
