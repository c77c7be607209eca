import {
  agentScenarios,
  clientScenarios,
  htmlReport,
  type Judgement,
  jsonReport,
  junitReport,
  type ReportOptions,
  summarise,
} from '@agentwire/conformance';
import type { CheckGiven } from './check-given.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { paintFor } from '../../terminal/paint.ts';
import { shownCommand } from '../agents/entry-facts.ts';
import { pageWidth } from '../doctor/finding-lines.ts';
import { reportLines } from './report-lines.ts';
import { onStdout, writeReports } from './write-reports.ts';

/** Writes the reports that were asked for, and the table unless one of them takes its place. */
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
  const look = { paint: paintFor(process.stdout), width: pageWidth(), isWhole: verbose === true };
  if (format === 'quiet') print(cleanLine(summarise(judgement, given.level).sentence));
  else if (onStdout(given) === undefined) print(...reportLines(judgement, given.level, look));
  const files = await writeReports(given, {
    json: () => `${JSON.stringify(jsonReport(judgement, options), undefined, 2)}\n`,
    junit: () => junitReport(judgement, options),
    html: () => htmlReport(judgement, options),
  });
  if (files.length > 0 && format === 'text' && onStdout(given) === undefined) print('', `Written: ${files.join(', ')}`);
}

/** The command line that repeats a check with its chances. */
function againCommand({ seed, kind }: Judgement, { only, level, driver, words }: CheckGiven): string {
  const chosen = only.flatMap((each) => ['--only', each]);
  const strict = level === 'must' ? [] : ['--level', level];
  const side = kind === 'client' ? ['--client', ...(driver === undefined ? [] : ['--driver', driver])] : [];
  return shownCommand(['agentwire', 'check', ...side, ...chosen, ...strict, '--seed', String(seed), '--', ...words]);
}

function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
