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
import type { CheckArguments } from './check-arguments.ts';
import { settingWords } from './check-settings.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';
import { shownCommand } from '../../shown-command.ts';
import { pageWidth } from '../doctor/finding-lines.ts';
import type { LineFormat } from './frame-lines.ts';
import { type Interrupted, interruptedLines } from './interrupted-lines.ts';
import { reportLines } from './report-lines.ts';
import { onStdout, writeReports } from './write-reports.ts';

/** Writes the requested reports, and prints the table unless a report on stdout replaces it. */
export async function printReports(
  judgement: Judgement,
  args: CheckArguments,
  { format, verbose }: GlobalOptions,
): Promise<void> {
  const options: ReportOptions = {
    from: args.level,
    madeAt: new Date(),
    again: againCommand(judgement, args),
    titles: new Map([...agentScenarios, ...clientScenarios].map(({ id, title }) => [id, title])),
  };
  if (format === 'quiet') print(cleanLine(summarise(judgement, args.level).sentence));
  else if (onStdout(args) === undefined)
    print(...reportLines(withoutSecrets(judgement), args.level, formatOf(verbose)));
  const files = await writeReports(args, {
    json: () => `${JSON.stringify(jsonReport(judgement, options), undefined, 2)}\n`,
    junit: () => junitReport(judgement, options),
    html: () => htmlReport(judgement, options),
    badge: () => badgeReport(judgement, options),
  });
  if (files.length > 0 && format === 'text' && onStdout(args) === undefined) print('', `Written: ${files.join(', ')}`);
}

/** Prints the findings of an interrupted check. */
export function printInterrupted(
  interrupted: Interrupted,
  { level }: Pick<CheckArguments, 'level'>,
  { verbose }: GlobalOptions,
): void {
  print(...interruptedLines(interrupted, level, formatOf(verbose)));
}

function formatOf(verbose: boolean | undefined): LineFormat {
  return { paint: stdout.paint, width: pageWidth(), isWhole: verbose === true };
}

/** The command line that repeats a check with the same seed. */
function againCommand({ seed, kind }: Judgement, args: CheckArguments): string {
  const { only, level, driver, words } = args;
  const chosen = only.flatMap((each) => ['--only', each]);
  const strict = [
    ...(level === 'must' ? [] : ['--level', level]),
    ...args.profile.flatMap((each) => ['--profile', each]),
    ...(args.protocol === 1 ? [] : ['--protocol', String(args.protocol)]),
  ];
  const side = kind === 'client' ? ['--client', ...(driver === undefined ? [] : ['--driver', driver])] : [];
  const settings = [...side, ...chosen, ...strict, ...settingWords(args), '--seed', String(seed)];
  return shownCommand(['turnwire', 'check', ...settings, '--', ...words]);
}

function print(...lines: readonly string[]): void {
  for (const line of lines) stdout.printLine(line);
}
