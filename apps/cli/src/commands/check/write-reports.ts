import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '@turnwire/machine';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { cleanJson } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';

/** The target of a report: a file, or `true` for stdout; undefined if the report is not requested. */
type ReportTarget = string | true | undefined;

/** The targets of the reports by format. */
export interface ReportTargets {
  readonly json?: ReportTarget;
  readonly junit?: ReportTarget;
  readonly html?: ReportTarget;
  readonly badge?: ReportTarget;
}

/** The format of the report that replaces the table on stdout. Throws CommandError, exit code 2, if there are several. */
export function onStdout(targets: ReportTargets): keyof ReportTargets | undefined {
  const [first, second] = formats.filter((format) => targets[format] === true);
  if (second === undefined) return first;
  throw new CommandError(`--${first} and --${second} cannot both go to stdout: name a file`, exitCodes.usage);
}

/**
 * Creates the folders of the reports and verifies that the reports can be written, before a long check. Throws CommandError if they cannot,
 * or if two reports have the same file.
 */
export async function prepareReports(targets: ReportTargets): Promise<void> {
  const wanted = files(targets);
  const twice = wanted.find((file, index) => wanted.indexOf(file) !== index);
  if (twice !== undefined) throw new CommandError(`two reports cannot both go to ${twice}`, exitCodes.usage);
  for (const file of wanted) await orFail(file, () => prepare(file));
}

async function prepare(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  await access(found === undefined ? dirname(file) : file, constants.W_OK);
}

/** Writes the requested reports. Resolves with the written files. If a report fails, it writes the others and then throws CommandError. */
export async function writeReports(
  targets: ReportTargets,
  make: { readonly [format in keyof ReportTargets]?: () => string },
): Promise<readonly string[]> {
  const written: string[] = [];
  const failures: unknown[] = [];
  for (const format of formats) {
    const target = targets[format];
    const made = make[format]?.();
    if (target === undefined || made === undefined) continue;
    const text = format === 'json' ? cleanJson(made) : made;
    if (target === true) stdout.printExactly(text);
    else
      await orFail(target, () => writeFile(resolve(target), text)).then(
        () => written.push(target),
        (error: unknown) => failures.push(error),
      );
  }
  if (failures.length > 0) throw failures[0];
  return written;
}

const formats = ['json', 'junit', 'html', 'badge'] as const;

function files(targets: ReportTargets): readonly string[] {
  return formats.flatMap((format) => {
    const target = targets[format];
    return typeof target === 'string' ? [resolve(target)] : [];
  });
}

async function orFail(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, exitCodes.error);
  }
}
