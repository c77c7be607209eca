import { agentScenarios, checkAgent, type Judgement, type Strictness, summarise } from '@agentwire/conformance';
import { exitCodes } from '../exit-codes.ts';
import type { GlobalOptions } from '../options.ts';
import { paintFor } from '../terminal/paint.ts';
import { checkMatrix } from './check/check-matrix.ts';
import { checkSettings, type CheckSettingsGiven } from './check/check-settings.ts';
import { checkedAgent, type NamedOnLine, subjectOf } from './check/check-subject.ts';
import { listedFacts, listLines } from './check/list-scenarios.ts';
import { printReports } from './check/print-reports.ts';
import { Progress } from './check/progress.ts';
import { selectScenarios } from './check/select-scenarios.ts';
import { untilStopped } from './check/until-stopped.ts';
import { onStdout, prepareReports, type ReportPlaces } from './check/write-reports.ts';
import { TraceFolder } from './check/trace-folder.ts';
import { pageWidth } from './doctor/finding-lines.ts';

/** What `check` is given. */
export interface CheckGiven extends ReportPlaces, NamedOnLine, CheckSettingsGiven {
  readonly only: readonly string[];
  readonly level: Strictness;
  readonly client?: true;
  /** The file with a list of agents. */
  readonly matrix?: string;
  readonly list?: true;
}

/** Judges an agent, a client or a list of agents, and reports. Resolves with the exit code: 1 if something that counts is broken. */
export async function check(given: CheckGiven, options: GlobalOptions): Promise<number> {
  const isJson = options.format === 'json' && onStdout(given) === undefined && given.list !== true;
  const places: CheckGiven = isJson ? { ...given, json: given.json ?? true } : given;
  if (places.list) return list(places, options);
  if (places.matrix !== undefined) return checkMatrix({ ...places, matrix: places.matrix }, options);
  return checkOneAgent(places, options);
}

async function checkOneAgent(given: CheckGiven, options: GlobalOptions): Promise<number> {
  const command = await checkedAgent(given, options);
  const { scenarios, concerns } = selectScenarios(given.only, agentScenarios, 'agent');
  const settings = await checkSettings(given, options);
  onStdout(given);
  await prepareReports(given);
  const traces = new TraceFolder(options.trace, 'agent');
  return untilStopped(async ({ signal, watched }) => {
    using progress = new Progress(scenarios.length, 'scenarios');
    const onResult: typeof progress.take = (result) => {
      progress.take(result);
      traces.keep(result);
    };
    const judgement = await checkAgent(watched(subjectOf(command)), { ...settings, scenarios, signal, onResult });
    await traces.written();
    progress[Symbol.dispose]();
    await printReports(limited(judgement, concerns), given, { ...options, words: command.words });
    return exitCodeOf(judgement, given.level);
  });
}

function limited(judgement: Judgement, concerns: (verdict: Judgement['verdicts'][number]) => boolean): Judgement {
  return { ...judgement, verdicts: judgement.verdicts.filter(concerns) };
}

function exitCodeOf(judgement: Judgement, from: Strictness): number {
  return summarise(judgement, from).conclusion === 'conforming' ? exitCodes.ok : exitCodes.error;
}

function list({ only, json }: CheckGiven, { format }: GlobalOptions): number {
  const { scenarios } = selectScenarios(only, agentScenarios, 'agent');
  const look = { paint: paintFor(process.stdout), width: pageWidth() };
  const text =
    format === 'json' || json !== undefined
      ? JSON.stringify(listedFacts(scenarios, 'agent'), undefined, 2)
      : listLines(scenarios, 'agent', look).join('\n');
  process.stdout.write(`${text}\n`);
  return exitCodes.ok;
}
