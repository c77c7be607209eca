import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { visibleLine } from '../terminal/clean-text.ts';

/**
 * The options for a new session: in the place that they ask for, which is made and prepared first. Rejects with CommandError if the place
 * cannot be made or prepared.
 */
export async function inPlace(options: GlobalOptions): Promise<GlobalOptions> {
  const { place: wanted } = options;
  if (wanted === undefined || wanted.kind === 'here') return { ...options, place: { kind: 'here' } };
  const { makePlace } = await import('./make-place.ts');
  return makePlace(wanted, options);
}

/** Refuses a place that the command line asks for if the session to continue works elsewhere. Rejects with CommandError, exit code 2. */
export async function refuseOtherPlace(cwd: string, { place: wanted }: GlobalOptions): Promise<void> {
  if (!wanted?.isAsked) return;
  const { kind, name } = wanted;
  const { ownPlaces } = await import('../own-places/own-places.ts');
  const at = ownPlaces().at(cwd);
  const isThere = at ? at.kind === kind && (name ?? at.name) === at.name : kind === 'here';
  if (isThere) return;
  throw new CommandError(
    `--place is for a new session, but this one works in ${visibleLine(cwd)} already: leave --place out, or begin a new session with turnwire exec, chat or sessions new`,
    exitCodes.usage,
  );
}
