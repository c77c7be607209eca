import { fuzzAgent, type FuzzFailure, type FuzzReport, type JournalEntry } from '@turnwire/conformance';
import type { CheckArguments } from './check-arguments.ts';
import { settingWords } from './check-settings.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanText } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';
import type { Paint } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import { shownCommand } from '../../shown-command.ts';
import { pageWidth } from '../doctor/finding-lines.ts';
import { type CheckedCommand, checkedAgent, subjectOf } from './check-subject.ts';
import { frameLines } from './frame-lines.ts';
import { LiveLine } from './live-line.ts';
import { TraceFolder } from './trace-folder.ts';
import { type Stoppable, untilStopped } from './until-stopped.ts';
import { onStdout, prepareReports, writeReports } from './write-reports.ts';

/** Sends random sequences to an agent for a while, and reports the result. Resolves with 1 if a failure was found. */
export async function checkFuzz(
  args: CheckArguments & { readonly fuzz: number },
  options: GlobalOptions,
): Promise<number> {
  const command = await checkedAgent(args, options);
  await prepareReports(args);
  const work = async ({ signal, watched }: Stoppable): Promise<number> => {
    const report = await search(command, args, { signal, watched });
    await keepTrace(report, options.trace);
    const lines = onStdout(args) === undefined ? fuzzLines(report, { ...args, words: command.words }, options) : [];
    for (const line of lines) stdout.printLine(line);
    await writeReports({ json: args.json }, { json: () => `${JSON.stringify(report, undefined, 2)}\n` });
    return report.failure === undefined ? exitCodes.ok : exitCodes.error;
  };
  // A run that is stopped early still writes the report, with the findings so far.
  return untilStopped(work, async () => undefined);
}

async function search(
  command: CheckedCommand,
  { fuzz, fuzzPath, seed, timeout, authMethod }: CheckArguments & { readonly fuzz: number },
  { signal, watched }: Stoppable,
): Promise<FuzzReport> {
  using live = new LiveLine();
  return await fuzzAgent(watched(subjectOf(command)), {
    seconds: fuzz,
    signal,
    ...(seed !== undefined && { seed }),
    ...(fuzzPath !== undefined && { path: fuzzPath }),
    ...(timeout !== undefined && { timeout: timeout * 1000 }),
    ...(authMethod !== undefined && { authMethod }),
    onRun: ({ runs, lines }) => live.show(`${runs} sequences, ${lines} lines`),
  });
}

async function keepTrace({ failure }: FuzzReport, folder: string | undefined): Promise<void> {
  if (failure === undefined) return;
  const traces = new TraceFolder(folder, 'agent');
  traces.keep({ scenario: 'fuzz', observations: [], journals: [failure.journal], duration: 0 });
  await traces.written();
}

/** The report for a terminal. */
function fuzzLines(report: FuzzReport, args: CheckArguments, { verbose }: GlobalOptions): readonly string[] {
  const { runs, lines, duration, seed, failure, subject } = report;
  const { paint } = stdout;
  const head = `agent: ${cleanText(subject)}`;
  const tried = `${runs} sequences of ${lines} lines in ${(duration / 1000).toFixed(1)} s, seed ${seed}`;
  if (failure === undefined) return [head, paint('dim', tried), '', ...nothingFound(report, args, paint)];
  const again = [
    'turnwire',
    'check',
    '--fuzz',
    String(args.fuzz),
    '--seed',
    String(seed),
    '--fuzz-path',
    failure.path,
    ...settingWords(args),
  ];
  return [
    head,
    paint('dim', tried),
    '',
    ...wrapWords(cleanText(`Failure (${failure.rule}): ${failure.message}`), pageWidth()).map((line) =>
      paint('red', line),
    ),
    '',
    'All frames of the connection:',
    ...shownFrames(failure, { paint, width: pageWidth(), isWhole: verbose === true }),
    '',
    'To repeat it:',
    `  ${shownCommand([...again, '--', ...args.words])}`,
  ];
}

function nothingFound({ runs }: FuzzReport, { fuzzPath }: CheckArguments, paint: Paint): readonly string[] {
  if (fuzzPath === undefined) return [paint('green', 'No failure was found in this time.')];
  const why = runs === 0 ? 'leads to no sequence in this time' : 'leads to no failure';
  return [paint('green', `With this seed and these options the path ${fuzzPath} ${why}.`)];
}

function shownFrames(
  { journal }: FuzzFailure,
  format: { readonly paint: Paint; readonly width: number; readonly isWhole: boolean },
): readonly string[] {
  return journal.flatMap((entry: JournalEntry) => frameLines(entry, 'agent', format));
}
