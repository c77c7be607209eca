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
  scenariosIn,
  type Subject,
  summarise,
} from '@turnwire/conformance';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { stdout } from '../terminal/output.ts';
import type { CheckArguments } from './check/check-arguments.ts';
import { checkFuzz } from './check/check-fuzz.ts';
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

/** Checks an agent or a client, and prints reports. Resolves with the exit code: 1 if a requirement that counts is broken. */
export async function check(args: CheckArguments, options: GlobalOptions): Promise<number> {
  const isJson = options.format === 'json' && onStdout(args) === undefined && args.list !== true;
  const profile = [...new Set([...args.profile, ...profilesNamedBy(args.only)])];
  const all: CheckArguments = { ...args, profile, ...(isJson && { json: args.json ?? true }) };
  onStdout(all);
  refusePathWithoutSeed(all);
  if (all.fuzz !== undefined && all.protocol === 2)
    throw new CommandError('--fuzz sends messages of version 1 only: leave out --protocol 2', exitCodes.usage);
  if (all.list) return list(all, options);
  if (all.fuzz !== undefined) return checkFuzz({ ...all, fuzz: all.fuzz }, options);
  return all.client ? checkOneClient(all, options) : checkOneAgent(all, options);
}

/** Profiles of the requirements in `--only`: naming a requirement of a proposal or a dialect selects its profile. */
function profilesNamedBy(only: readonly string[]): readonly ExtraProfile[] {
  return requirements.flatMap(({ id, profile }) =>
    only.includes(id) && profile !== 'v1' && profile !== 'v2' && profile !== 'remote' ? [profile] : [],
  );
}

/** A fuzz path is valid only with the seed that produced it. */
function refusePathWithoutSeed({ fuzz, fuzzPath, seed }: CheckArguments): void {
  if (fuzzPath === undefined || (fuzz !== undefined && seed !== undefined)) return;
  throw new CommandError('--fuzz-path needs --fuzz and --seed: repeat the whole printed command', exitCodes.usage);
}

async function checkOneAgent(args: CheckArguments, options: GlobalOptions): Promise<number> {
  const command = await checkedAgent(args, options);
  const subject = subjectOf(command);
  const profiled = { profiles: args.profile, version: args.protocol };
  const all = scenariosIn(args.protocol, agentScenarios).filter((each) => appliesTo(each, subject, profiled));
  const selection = selectScenarios(args.only, all, 'agent');
  const settings = await checkSettings(args, options);
  const { scenarios } = selection;
  return judged({ ...args, words: command.words }, options, {
    kind: 'agent',
    selection,
    judge: ({ signal, watched }, onResult) =>
      checkAgent(watched(subject), { ...settings, scenarios, signal, onResult }),
  });
}

async function checkOneClient(args: CheckArguments, options: GlobalOptions): Promise<number> {
  const subject = await checkedClient(args, options.cwd);
  const profiled = { profiles: args.profile, version: args.protocol };
  const all = scenariosIn(args.protocol, clientScenarios).filter((each) => isForClient(each, subject, profiled));
  const selection = selectScenarios(args.only, all, 'client');
  const { scenarios } = selection;
  return judged(args, options, {
    kind: 'client',
    selection,
    judge: ({ signal }, onResult) => checkClient(subject, { ...clientSettings(args), scenarios, signal, onResult }),
  });
}

interface Judging {
  readonly kind: Subject;
  readonly selection: Selection<Listed>;
  readonly judge: (stoppable: Stoppable, onResult: (result: ScenarioResult) => void) => Promise<Judgement>;
}

/** Runs the check and writes its reports. */
async function judged(
  args: CheckArguments,
  options: GlobalOptions,
  { kind, selection, judge }: Judging,
): Promise<number> {
  await prepareReports(args);
  const traces = new TraceFolder(options.trace, kind);
  const results: ScenarioResult[] = [];
  const work = async (stoppable: Stoppable): Promise<number> => {
    const judgement = await withProgress(selection, (onResult) =>
      judge(stoppable, (result) => {
        onResult(result);
        traces.keep(result);
        // Results after an interruption prove nothing about the subject.
        if (!stoppable.signal.aborted) results.push(result);
      }),
    );
    await traces.written();
    const reported = { ...judgement, verdicts: judgement.verdicts.filter(selection.concerns) };
    await printReports(reported, args, options);
    return summarise(reported, args.level).conclusion === 'conforming' ? exitCodes.ok : exitCodes.error;
  };
  return untilStopped(work, async () => {
    await traces.written();
    if (options.format !== 'json' && onStdout(args) === undefined)
      printInterrupted({ kind, results, total: selection.scenarios.length }, args, options);
  });
}

async function withProgress(
  { scenarios }: Judging['selection'],
  work: (onResult: (result: ScenarioResult) => void) => Promise<Judgement>,
): Promise<Judgement> {
  using progress = new Progress(scenarios.length, 'scenarios');
  return await work(progress.take);
}

function list({ only, json, client, over, protocol }: CheckArguments, { format }: GlobalOptions): number {
  const kind = client ? 'client' : 'agent';
  const ofClients = clientScenarios.filter((scenario) => scenario.over === undefined || scenario.over === over);
  const all: readonly Listed[] = client ? ofClients : agentScenarios;
  const { scenarios } = selectScenarios(only, scenariosIn(protocol, all), kind);
  if (format === 'json' || json !== undefined)
    stdout.printJson(JSON.stringify(listedFacts(scenarios, { kind, protocol }), undefined, 2));
  else
    for (const line of listLines(scenarios, { kind, protocol }, { paint: stdout.paint, width: pageWidth() }))
      stdout.printLine(line);
  return exitCodes.ok;
}
