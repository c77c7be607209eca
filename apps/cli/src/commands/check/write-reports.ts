import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '@agentwire/transports/trace';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { cleanJson } from '../../terminal/clean-text.ts';

/** A report that was asked for: `true` is for stdout. */
type ReportPlace = string | true | undefined;

/** The places of the reports, by their format. */
export interface ReportPlaces {
  readonly json?: ReportPlace;
  readonly junit?: ReportPlace;
  readonly html?: ReportPlace;
}

/** The one report that goes to stdout, in place of the table. Throws CommandError, exit code 2, if there are several. */
export function onStdout(places: ReportPlaces): keyof ReportPlaces | undefined {
  const [first, second] = formats.filter((format) => places[format] === true);
  if (second === undefined) return first;
  throw new CommandError(`--${first} and --${second} cannot both go to stdout: name a file`, exitCodes.usage);
}

/** Makes the folders reports go to, before a check begins that may take long. Throws CommandError. */
export async function prepareReports(places: ReportPlaces): Promise<void> {
  for (const file of files(places)) await orFail(file, () => makeFolder(dirname(file)));
}

/** Writes the reports, each made only if it is wanted. Resolves with the files that were written. Throws CommandError. */
export async function writeReports(
  places: ReportPlaces,
  make: Readonly<Record<keyof ReportPlaces, () => string>>,
): Promise<readonly string[]> {
  const written: string[] = [];
  for (const format of formats) {
    const place = places[format];
    if (place === undefined) continue;
    const text = format === 'json' ? cleanJson(make[format]()) : make[format]();
    if (place === true) process.stdout.write(text);
    else {
      await orFail(place, () => writeFile(resolve(place), text));
      written.push(place);
    }
  }
  return written;
}

const formats = ['json', 'junit', 'html'] as const;

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
