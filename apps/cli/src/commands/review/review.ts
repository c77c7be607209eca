import {
  type ChangedFile,
  type ChosenChange,
  type FolderRecord,
  GitError,
  patchOf,
  type RecordedTurn,
  UnfinishedTurn,
} from '@turnwire/machine/folder-record';
import { commitReview } from '@turnwire/runtime/review';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { fileFacts, printFilePatch } from '../../output/file-changes.ts';
import { folderRecord } from '../../sessions/turn-recorder.ts';
import { cleanLine, visibleLine } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';
import { report } from '../report.ts';
import { chosenChanges } from './chosen-changes.ts';

/** Which changes to review: those of one turn, or all since the last review. */
export interface ReviewArguments {
  readonly turn?: number | undefined;
  readonly all?: boolean | undefined;
}

/** Lists the changed files and their hunks. Resolves with the exit code. */
export async function listChanges(args: ReviewArguments, { cwd, format }: GlobalOptions): Promise<number> {
  const record = folderRecord(cwd);
  const files = await changesIn(record, args);
  if (format === 'json') stdout.printJson(JSON.stringify({ folder: record.folder, files: files.map(fileFacts) }));
  else if (format === 'quiet') for (const { path } of files) stdout.printLine(cleanLine(path));
  else if (files.length === 0) stdout.printLine(nothing(args));
  else for (const file of files) for (const line of summary(file)) stdout.printLine(line);
  return exitCodes.ok;
}

/** Prints the changes as a patch, which `git apply` takes when it is not printed at a terminal. */
export async function printPatch(
  words: readonly string[],
  args: ReviewArguments,
  { cwd }: GlobalOptions,
): Promise<number> {
  const files = await changesIn(folderRecord(cwd), args);
  const chosen: readonly ChosenChange[] =
    words.length === 0 ? files.map((file) => ({ file })) : chosenChanges(files, words);
  for (const { file, hunks } of chosen) {
    printFilePatch(hunks ? patchOf(file, hunks, 'before') : file.patch);
  }
  return exitCodes.ok;
}

/** Accepts changes: they are not listed again. */
export async function acceptChanges(
  words: readonly string[],
  args: ReviewArguments,
  { cwd }: GlobalOptions,
): Promise<number> {
  const record = folderRecord(cwd);
  const files = await changesIn(record, {});
  if (isAll(words, args)) await record.acceptAll();
  else await record.accept(chosenChanges(files, words));
  return exitCodes.ok;
}

/** Takes changes back in the files. Resolves with exit code 1 if a file had to be left as it is. */
export async function rejectChanges(
  words: readonly string[],
  args: ReviewArguments,
  { cwd }: GlobalOptions,
): Promise<number> {
  const record = folderRecord(cwd);
  const chosen: readonly ChosenChange[] = isAll(words, args)
    ? await wholeChangesIn(record, args)
    : chosenChanges(await changesIn(record, args), words);
  const { failures } = await record.takeBack(chosen);
  for (const { path, why } of failures) warn(`${visibleLine(path)} is left as it is: ${visibleLine(why)}`);
  return failures.length > 0 ? exitCodes.error : exitCodes.ok;
}

/** Arguments of `review commit`. */
export interface CommitArguments {
  readonly message?: string;
  readonly all?: boolean;
  readonly hooks?: boolean;
}

/** Commits what was accepted. */
export async function commitChanges(
  { message, all = false, hooks: runsHooks = false }: CommitArguments,
  options: GlobalOptions,
): Promise<number> {
  const record = folderRecord(options.cwd);
  const done = await commitReview(record, { message, isWhole: all, runsHooks }).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    throw new CommandError(error.message, exitCodes.error);
  });
  const { commit, message: said, files } = done;
  report(options, { action: 'review_committed', ...done }, () =>
    options.format === 'quiet'
      ? commit
      : `committed ${committedFiles(files)}: ${commit.slice(0, 10)} ${cleanLine(said)}`,
  );
  if (done.skippedHooks)
    warn('the hooks of the repository did not run, because an agent may have changed them; --hooks runs them');
  const open = (await record.changes()).length;
  if (open > 0) warn(`${committedFiles(open)} with changes that were not accepted: turnwire review lists them`);
  return exitCodes.ok;
}

/** Lists the recorded turns. */
export async function listTurns({ cwd, format }: GlobalOptions): Promise<number> {
  const turns = await folderRecord(cwd).turns();
  if (format === 'json') stdout.printJson(JSON.stringify(turns.map(turnFacts)));
  else
    for (const { number, at, agent, prompt, after } of turns) {
      const state = after === undefined ? ' (not finished)' : '';
      const [first = ''] = prompt.split('\n');
      stdout.printLine(`${number}\t${new Date(at).toISOString()}\t${cleanLine(agent)}\t${cleanLine(first)}${state}`);
    }
  return exitCodes.ok;
}

async function changesIn(record: FolderRecord, { turn }: ReviewArguments): Promise<readonly ChangedFile[]> {
  return turn === undefined ? record.changes() : record.changesOf(await turnNumbered(turn, record));
}

/** The changes, to take back all of them. */
async function wholeChangesIn(record: FolderRecord, { turn }: ReviewArguments): Promise<readonly ChosenChange[]> {
  if (turn === undefined) return (await record.changes()).map((file) => ({ file }));
  try {
    return await record.changesToUndo(await turnNumbered(turn, record));
  } catch (error) {
    if (!(error instanceof UnfinishedTurn)) throw error;
    throw new CommandError(`turn ${turn} is left as it is: ${error.message}`, exitCodes.error);
  }
}

async function turnNumbered(turn: number, record: FolderRecord): Promise<RecordedTurn> {
  const found = (await record.turns()).find(({ number }) => number === turn);
  if (found) return found;
  throw new CommandError(`there is no turn ${turn} here; turnwire review turns lists them`, exitCodes.usage);
}

function isAll(words: readonly string[], { all, turn }: ReviewArguments): boolean {
  if (words.length > 0 && all) throw new CommandError('--all takes no names', exitCodes.usage);
  if (words.length > 0) return false;
  if (all || turn !== undefined) return true;
  throw new CommandError('name files or hunks, or use --all; turnwire review lists them', exitCodes.usage);
}

function nothing({ turn }: ReviewArguments): string {
  return turn === undefined
    ? 'Nothing to review: no agent has changed a file here since the last review.'
    : 'This turn changed no file.';
}

function summary(file: ChangedFile): readonly string[] {
  const { paint } = stdout;
  const { path, change, added, removed, hunks } = file;
  const size = hunks.length === 0 ? 'as a whole' : `+${added} −${removed}`;
  const head = `${paint('bold', visibleLine(path))}  ${change === 'changed' ? '' : `${change}, `}${size}`;
  return [
    head,
    ...hunks.map(
      ({ id, after }, at) => `  ${visibleLine(path)}:${at + 1}  ${paint('dim', `${id}  line ${after.line}`)}`,
    ),
  ];
}

function committedFiles(files: readonly string[] | number): string {
  const count = typeof files === 'number' ? files : files.length;
  return count === 1 ? 'one file' : `${count} files`;
}

function turnFacts({ number, sessionId, agent, prompt, at, after }: RecordedTurn): object {
  return { number, sessionId, agent, prompt, at: new Date(at).toISOString(), isFinished: after !== undefined };
}
