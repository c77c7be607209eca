import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '@turnwire/machine';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { cleanJson } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';

/** A requested report: `true` is for stdout. */
type ReportPlace = string | true | undefined;

/** The places of the reports, by their format. */
export interface ReportPlaces {
  readonly json?: ReportPlace;
  readonly junit?: ReportPlace;
  readonly html?: ReportPlace;
  readonly badge?: ReportPlace;
}

/** The report that goes to stdout instead of the table. Throws CommandError, exit code 2, if there are several. */
export function onStdout(places: ReportPlaces): keyof ReportPlaces | undefined {
  const [first, second] = formats.filter((format) => places[format] === true);
  if (second === undefined) return first;
  throw new CommandError(`--${first} and --${second} cannot both go to stdout: name a file`, exitCodes.usage);
}

/**
 * Creates the folders of the reports and checks that they can be written, before a check that may take long. Throws CommandError, also
 * if two reports go to one file.
 */
export async function prepareReports(places: ReportPlaces): Promise<void> {
  const wanted = files(places);
  const twice = wanted.find((file, place) => wanted.indexOf(file) !== place);
  if (twice !== undefined) throw new CommandError(`two reports cannot both go to ${twice}`, exitCodes.usage);
  for (const file of wanted) await orFail(file, () => prepare(file));
}

async function prepare(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  await access(found === undefined ? dirname(file) : file, constants.W_OK);
}

/** Writes the requested reports that there are. Resolves with the files that were written. Throws CommandError after all that can be written are. */
export async function writeReports(
  places: ReportPlaces,
  make: { readonly [format in keyof ReportPlaces]?: () => string },
): Promise<readonly string[]> {
  const written: string[] = [];
  const failures: unknown[] = [];
  for (const format of formats) {
    const place = places[format];
    const made = make[format]?.();
    if (place === undefined || made === undefined) continue;
    const text = format === 'json' ? cleanJson(made) : made;
    if (place === true) stdout.printExactly(text);
    else
      await orFail(place, () => writeFile(resolve(place), text)).then(
        () => written.push(place),
        (error: unknown) => failures.push(error),
      );
  }
  if (failures.length > 0) throw failures[0];
  return written;
}

const formats = ['json', 'junit', 'html', 'badge'] as const;

function files(places: ReportPlaces): readonly string[] {
  return formats.flatMap((format) => {
    const place = places[format];
    return typeof place === 'string' ? [resolve(place)] : [];
  });
}

async function orFail(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, exitCodes.error);
  }
}
