import { KeptConsents } from '@turnwire/machine';
import { GitError } from '@turnwire/machine/folder-record';
import { type Brought, type ListedPlace, lostWork, type Place, PlaceError } from '@turnwire/runtime/places';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { fileFacts, printFilePatch } from '../../output/file-changes.ts';
import { printRows } from '../../output/print-rows.ts';
import { prepare } from '../../session-places/make-place.ts';
import { ownPlaces } from '../../own-places/own-places.ts';
import { originFolder } from '../../own-places/place-folders.ts';
import { RecentSessions } from '../../store/recent-sessions.ts';
import { cleanLine, visibleLine } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';
import { report } from '../report.ts';

/** Lists the places of the project, or all. Resolves with the exit code, as all these commands do. */
export async function listPlaces({ all }: { readonly all?: true }, { cwd, format }: GlobalOptions): Promise<number> {
  const places = ownPlaces();
  const fromHere = new Set((await places.from(originFolder(cwd))).map(({ name }) => name));
  const listed = (await places.list()).filter(({ name }) => all || fromHere.has(name));
  if (format === 'json') stdout.printJson(JSON.stringify(listed.map(placeFacts)));
  else if (format === 'quiet') for (const { name } of listed) stdout.printLine(name);
  else if (listed.length === 0) stdout.printLine(all ? 'There are no places.' : 'There are no places of this project.');
  else
    printRows({
      head: ['place', 'kind', 'work', 'folder'],
      rows: listed.map((place) => [place.name, place.kind, stateOf(place), place.folder]),
    });
  for (const { message } of await places.damaged()) warn(visibleLine(message));
  return exitCodes.ok;
}

/** Opens a chat in a place: with the last session there, or a new one. Runs its set-up command if that has not succeeded. */
export async function openPlace(name: string | undefined, options: GlobalOptions): Promise<number> {
  return withPlaceErrors(async () => {
    const place = ownPlaces().find(nameOf(name, options));
    await using _use = await ownPlaces().use(place.name);
    await prepare(place);
    const { chat } = await import('../chat.ts');
    const { place: _other, ...others } = options;
    const { cwd } = place;
    const isKnown = (await new RecentSessions().list()).some((session) => session.cwd === cwd);
    return chat({ words: [], ...(isKnown && { continue: true }) }, { ...others, cwd });
  });
}

/** Prints what has changed in a place since it was made. */
export async function diffPlace(name: string | undefined, options: GlobalOptions): Promise<number> {
  return withPlaceErrors(async () => {
    const place = nameOf(name, options);
    const files = await ownPlaces().changes(place);
    if (options.format === 'json') stdout.printJson(JSON.stringify({ place, files: files.map(fileFacts) }));
    else if (options.format === 'quiet') for (const { path } of files) stdout.printLine(cleanLine(path));
    else for (const { patch } of files) printFilePatch(patch);
    return exitCodes.ok;
  });
}

/** Makes the changes of a place in the files of its origin, as uncommitted ones. Resolves with exit code 1 if there are conflicts. */
export async function applyPlace(name: string | undefined, options: GlobalOptions): Promise<number> {
  return withPlaceErrors(async () => {
    const place = ownPlaces().find(nameOf(name, options));
    const brought = await ownPlaces().apply(place.name);
    return reportBrought({ action: 'place_applied', place, brought }, options, {
      done: `the changes of ${place.name} are in ${visibleLine(place.origin)}, not committed`,
      conflicts:
        'Nothing was changed. Commit your own changes there and use turnwire places merge, which leaves conflicts to resolve',
    });
  });
}

/** Merges a place into the checked-out branch of its origin. Resolves with exit code 1 if there are conflicts. */
export async function mergePlace(
  name: string | undefined,
  { message }: { readonly message?: string },
  options: GlobalOptions,
): Promise<number> {
  return withPlaceErrors(async () => {
    const place = ownPlaces().find(nameOf(name, options));
    const brought = await ownPlaces().merge(place.name, message);
    const shown = visibleLine(place.origin);
    return reportBrought({ action: 'place_merged', place, brought }, options, {
      done: `${place.name} is merged in ${shown}`,
      conflicts:
        place.branch === undefined
          ? `The files in ${shown} have conflict markers: resolve them there`
          : `Resolve them in ${shown}, then: git add the files and git commit. To give up: git merge --abort`,
    });
  });
}

/** Removes a place with its branch. */
export async function removePlace(
  name: string | undefined,
  { force = false }: { readonly force?: boolean },
  options: GlobalOptions,
): Promise<number> {
  return withPlaceErrors(async () => {
    const place = nameOf(name, options);
    const commit = await ownPlaces().remove(place, force);
    const branch = commit === undefined ? '' : `; its branch was at ${commit}`;
    report(options, { action: 'place_removed', name: place, ...(commit !== undefined && { commit }) }, () =>
      options.format === 'quiet' ? place : `removed ${place}${branch}`,
    );
    return exitCodes.ok;
  });
}

/** Removes every place with nothing that would be lost, and those that were not finished. */
export async function prunePlaces({ dryRun }: { readonly dryRun?: true }, { format }: GlobalOptions): Promise<number> {
  const places = ownPlaces();
  const pruned = await places.prune({ isDry: dryRun === true });
  for (const { message } of await places.damaged()) warn(visibleLine(message));
  if (format === 'json')
    stdout.printJson(
      JSON.stringify(pruned.map(({ isRemoved, failure, ...place }) => ({ ...placeFacts(place), isRemoved, failure }))),
    );
  else if (format === 'quiet')
    for (const { name } of pruned.filter(({ isRemoved }) => isRemoved)) stdout.printLine(name);
  else
    for (const place of pruned)
      stdout.printLine(
        `${place.isRemoved ? (dryRun ? 'would remove' : 'removed') : 'kept'} ${place.name}: ${stateOf(place)}`,
      );
  const failed = pruned.flatMap(({ name, failure }) => (failure === undefined ? [] : [{ name, failure }]));
  for (const { name, failure } of failed) warn(`${name} cannot be removed: ${visibleLine(failure)}`);
  return failed.length > 0 ? exitCodes.error : exitCodes.ok;
}

/** Agrees to the set-up command of the project's file. */
export async function acceptSetUp({ setUpProposal, format }: GlobalOptions): Promise<number> {
  if (!setUpProposal)
    throw new CommandError('the file of this project has no set-up command for places', exitCodes.usage);
  await new KeptConsents().keep(setUpProposal, 'allowed');
  const { file, entry: command } = setUpProposal;
  report(
    { format },
    { action: 'set_up_accepted', file, command },
    () => `new places are prepared by: ${visibleLine(command)}`,
  );
  return exitCodes.ok;
}

/** The named place, or the one in which the folder is. */
function nameOf(name: string | undefined, { cwd }: GlobalOptions): string {
  const found = name ?? ownPlaces().at(cwd)?.name;
  if (found !== undefined) return found;
  throw new CommandError(`${cwd} is not in a place: name one; turnwire places list names all`, exitCodes.usage);
}

function reportBrought(
  { action, place, brought }: { readonly action: string; readonly place: Place; readonly brought: Brought },
  options: GlobalOptions,
  texts: { readonly done: string; readonly conflicts: string },
): number {
  const { conflicts } = brought;
  const { name, origin } = place;
  if (conflicts.length > 0) warn(`conflicts in ${conflicts.map(visibleLine).join(', ')}. ${texts.conflicts}`);
  if (options.format === 'json') stdout.printJson(JSON.stringify({ action, name, origin, conflicts }));
  else if (options.format === 'quiet') for (const path of conflicts) stdout.printLine(cleanLine(path));
  else if (conflicts.length === 0) stdout.printLine(texts.done);
  return conflicts.length > 0 ? exitCodes.error : exitCodes.ok;
}

function stateOf(place: ListedPlace): string {
  const { problem, work } = place;
  const found = work && lostWork(work);
  const open = !found ? 'work that cannot be counted' : found.length === 0 ? 'nothing to lose' : found.join(', ');
  if (problem === 'unfinished') return 'not finished';
  return problem === 'missing' ? `its folder is missing; ${open}` : open;
}

function placeFacts(listed: ListedPlace): object {
  const { name, kind, origin, folder, cwd, branch, base, createdAt, problem, work, setUp } = listed;
  return {
    name,
    kind,
    origin,
    folder,
    cwd,
    branch,
    base,
    createdAt,
    problem,
    isPrepared: setUp === undefined,
    ...work,
  };
}

async function withPlaceErrors(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlaceError || error instanceof GitError)
      throw new CommandError(error.message, exitCodes.error);
    throw error;
  }
}
