import {
  agentScenarios,
  appliesTo,
  checkAgent,
  checkClient,
  clientScenarios,
  type ExtraProfile,
  isForClient,
  type Judgement,
  requirements,
  type ScenarioResult,
  type Subject,
  summarise,
} from '@turnwire/conformance';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { stdout } from '../terminal/output.ts';
import type { CheckGiven } from './check/check-given.ts';
import { checkFuzz } from './check/check-fuzz.ts';
import { checkMatrix } from './check/check-matrix.ts';
import { checkSettings, clientSettings } from './check/check-settings.ts';
import { checkedAgent, subjectOf } from './check/check-subject.ts';
import { checkedClient } from './check/checked-client.ts';
import { listedFacts, listLines } from './check/list-scenarios.ts';
import { printInterrupted, printReports } from './check/print-reports.ts';
import { Progress } from './check/progress.ts';
import { type Listed, selectScenarios, type Selection } from './check/select-scenarios.ts';
import { TraceFolder } from './check/trace-folder.ts';
import { type Stoppable, untilStopped } from './check/until-stopped.ts';
import { onStdout, prepareReports } from './check/write-reports.ts';
import { pageWidth } from './doctor/finding-lines.ts';

/** Judges an agent, a client or a list of agents, and reports. Resolves with the exit code: 1 if a requirement that counts is broken. */
export async function check(given: CheckGiven, options: GlobalOptions): Promise<number> {
  const isJson = options.format === 'json' && onStdout(given) === undefined && given.list !== true;
  const profile = [...new Set([...given.profile, ...profilesNamedBy(given.only)])];
  const places: CheckGiven = { ...given, profile, ...(isJson && { json: given.json ?? true }) };
  onStdout(places);
  refuseLonelyPath(places);
  if (places.list) return list(places, options);
  if (places.matrix !== undefined) return checkMatrix({ ...places, matrix: places.matrix }, options);
  if (places.fuzz !== undefined) return checkFuzz({ ...places, fuzz: places.fuzz }, options);
  return places.client ? checkOneClient(places, options) : checkOneAgent(places, options);
}

/** Who names a requirement of a proposal or a dialect wants it judged. */
function profilesNamedBy(only: readonly string[]): readonly ExtraProfile[] {
  return requirements.flatMap(({ id, profile }) =>
    only.includes(id) && profile !== 'v1' && profile !== 'remote' ? [profile] : [],
  );
}

/** A path has a meaning only together with its seed. */
function refuseLonelyPath({ fuzz, fuzzPath, seed }: CheckGiven): void {
  if (fuzzPath === undefined || (fuzz !== undefined && seed !== undefined)) return;
  throw new CommandError('--fuzz-path needs --fuzz and --seed: repeat the whole printed command', exitCodes.usage);
}

async function checkOneAgent(given: CheckGiven, options: GlobalOptions): Promise<number> {
  const command = await checkedAgent(given, options);
  const subject = subjectOf(command);
  const all = agentScenarios.filter((scenario) => appliesTo(scenario, subject, given.profile));
  const selection = selectScenarios(given.only, all, 'agent');
  const settings = await checkSettings(given, options);
  const { scenarios } = selection;
  return judged({ ...given, words: command.words }, options, {
    kind: 'agent',
    selection,
    judge: ({ signal, watched }, onResult) =>
      checkAgent(watched(subject), { ...settings, scenarios, signal, onResult }),
  });
}

async function checkOneClient(given: CheckGiven, options: GlobalOptions): Promise<number> {
  const subject = await checkedClient(given, options.cwd);
  const all = clientScenarios.filter((scenario) => isForClient(scenario, subject, given.profile));
  const selection = selectScenarios(given.only, all, 'client');
  const { scenarios } = selection;
  return judged(given, options, {
    kind: 'client',
    selection,
    judge: ({ signal }, onResult) => checkClient(subject, { ...clientSettings(given), scenarios, signal, onResult }),
  });
}

interface Judging {
  readonly kind: Subject;
  readonly selection: Selection<Listed>;
  readonly judge: (stoppable: Stoppable, onResult: (result: ScenarioResult) => void) => Promise<Judgement>;
}

/** Judges and writes the reports. */
async function judged(given: CheckGiven, options: GlobalOptions, { kind, selection, judge }: Judging): Promise<number> {
  await prepareReports(given);
  const traces = new TraceFolder(options.trace, kind);
  const results: ScenarioResult[] = [];
  const work = async (stoppable: Stoppable): Promise<number> => {
    const judgement = await withProgress(selection, (onResult) =>
      judge(stoppable, (result) => {
        onResult(result);
        traces.keep(result);
        // An interrupted check proves nothing about its subject.
        if (!stoppable.signal.aborted) results.push(result);
      }),
    );
    await traces.written();
    const reported = { ...judgement, verdicts: judgement.verdicts.filter(selection.concerns) };
    await printReports(reported, given, options);
    return summarise(reported, given.level).conclusion === 'conforming' ? exitCodes.ok : exitCodes.error;
  };
  return untilStopped(work, async () => {
    await traces.written();
    if (options.format !== 'json' && onStdout(given) === undefined)
      printInterrupted({ kind, results, total: selection.scenarios.length }, given, options);
  });
}

async function withProgress(
  { scenarios }: Judging['selection'],
  work: (onResult: (result: ScenarioResult) => void) => Promise<Judgement>,
): Promise<Judgement> {
  using progress = new Progress(scenarios.length, 'scenarios');
  return await work(progress.take);
}

function list({ only, json, client, over }: CheckGiven, { format }: GlobalOptions): number {
  const kind = client ? 'client' : 'agent';
  const ofClients = clientScenarios.filter((scenario) => scenario.over === undefined || scenario.over === over);
  const all: readonly Listed[] = client ? ofClients : agentScenarios;
  const { scenarios } = selectScenarios(only, all, kind);
  const look = { paint: stdout.paint, width: pageWidth() };
  if (format === 'json' || json !== undefined)
    stdout.printJson(JSON.stringify(listedFacts(scenarios, kind), undefined, 2));
  else for (const line of listLines(scenarios, kind, look)) stdout.printLine(line);
  return exitCodes.ok;
}
