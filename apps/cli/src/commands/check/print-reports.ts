import {
  agentScenarios,
  badgeReport,
  clientScenarios,
  htmlReport,
  type Judgement,
  jsonReport,
  junitReport,
  type ReportOptions,
  summarise,
  withoutSecrets,
} from '@turnwire/conformance';
import type { CheckGiven } from './check-given.ts';
import { settingWords } from './check-settings.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';
import { shownCommand } from '../../shown-command.ts';
import { pageWidth } from '../doctor/finding-lines.ts';
import type { LineLook } from './frame-lines.ts';
import { type Interrupted, interruptedLines } from './interrupted-lines.ts';
import { reportLines } from './report-lines.ts';
import { onStdout, writeReports } from './write-reports.ts';

/** Writes the requested reports, and the table unless a report on stdout replaces it. */
export async function printReports(
  judgement: Judgement,
  given: CheckGiven,
  { format, verbose }: GlobalOptions,
): Promise<void> {
  const options: ReportOptions = {
    from: given.level,
    madeAt: new Date(),
    again: againCommand(judgement, given),
    titles: new Map([...agentScenarios, ...clientScenarios].map(({ id, title }) => [id, title])),
  };
  if (format === 'quiet') print(cleanLine(summarise(judgement, given.level).sentence));
  else if (onStdout(given) === undefined)
    print(...reportLines(withoutSecrets(judgement), given.level, lookOf(verbose)));
  const files = await writeReports(given, {
    json: () => `${JSON.stringify(jsonReport(judgement, options), undefined, 2)}\n`,
    junit: () => junitReport(judgement, options),
    html: () => htmlReport(judgement, options),
    badge: () => badgeReport(judgement, options),
  });
  if (files.length > 0 && format === 'text' && onStdout(given) === undefined) print('', `Written: ${files.join(', ')}`);
}

/** Prints the findings of a check that was stopped. */
export function printInterrupted(
  interrupted: Interrupted,
  { level }: Pick<CheckGiven, 'level'>,
  { verbose }: GlobalOptions,
): void {
  print(...interruptedLines(interrupted, level, lookOf(verbose)));
}

function lookOf(verbose: boolean | undefined): LineLook {
  return { paint: stdout.paint, width: pageWidth(), isWhole: verbose === true };
}

/** The command line that repeats a check with the same seed. */
function againCommand({ seed, kind }: Judgement, given: CheckGiven): string {
  const { only, level, driver, words } = given;
  const chosen = only.flatMap((each) => ['--only', each]);
  const strict = [
    ...(level === 'must' ? [] : ['--level', level]),
    ...given.profile.flatMap((each) => ['--profile', each]),
  ];
  const side = kind === 'client' ? ['--client', ...(driver === undefined ? [] : ['--driver', driver])] : [];
  const settings = [...side, ...chosen, ...strict, ...settingWords(given), '--seed', String(seed)];
  return shownCommand(['turnwire', 'check', ...settings, '--', ...words]);
}

function print(...lines: readonly string[]): void {
  for (const line of lines) stdout.printLine(line);
}
