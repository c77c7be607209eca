import { join } from 'node:path';
import { inheritedVariables } from '@turnwire/client/node';
import {
  agentScenarios,
  appliesTo,
  checkAgent,
  checkClient,
  clientScenarios,
  isForClient,
  type Judgement,
  type ScenarioResult,
  scenariosIn,
} from '@turnwire/conformance';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { checkSettings, clientSettings } from './check-settings.ts';
import { subjectOf } from './check-subject.ts';
import { checkedClient } from './checked-client.ts';
import { MatrixRecord } from './matrix-record.ts';
import { MatrixResults } from './matrix-results.ts';
import type { MatrixArguments, Row, Scenarios } from './matrix-row.ts';
import { Progress } from './progress.ts';
import { type MatrixSubject, readMatrix } from './read-matrix.ts';
import { selectScenarios } from './select-scenarios.ts';
import { TraceFolder } from './trace-folder.ts';
import { type Stoppable, untilStopped } from './until-stopped.ts';
import { onStdout, prepareReports } from './write-reports.ts';

/** Checks the agents and clients of a file one after the other and prints one table. Resolves with 1 if one of them does not conform. */
export async function checkMatrix(args: MatrixArguments, options: GlobalOptions): Promise<number> {
  if (options.agent !== undefined)
    throw new CommandError(`check matrix checks the agents of its file: leave out ${options.agent}`, exitCodes.usage);
  const record = args.page === undefined ? undefined : new MatrixRecord(args.page);
  await record?.prepare();
  if (args.file === undefined) return pageAgain(record);
  const rows = rowsOf(await readMatrix(args.file), args, options);
  if (record !== undefined || options.trace !== undefined) refuseSharedFolders(rows);
  onStdout(args);
  await prepareReports(args);
  const results = new MatrixResults(record, args);
  const work = async (stoppable: Stoppable): Promise<number> => {
    for (const row of rows) await results.add(row, await judged(row, stoppable));
    await results.report();
    return results.isFine ? exitCodes.ok : exitCodes.error;
  };
  return untilStopped(work, async () => {
    // The judgements made so far are complete.
    await results.report();
    warn(`interrupted: ${results.count} of ${rows.length} were judged`);
  });
}

async function pageAgain(record: MatrixRecord | undefined): Promise<number> {
  if (record === undefined)
    throw new CommandError('check matrix needs a file with agents and clients, or --page', exitCodes.usage);
  await record.add([]);
  return exitCodes.ok;
}

/** One row for each version of each subject. A selection that fits nothing is an error before anything runs. */
function rowsOf(subjects: readonly MatrixSubject[], given: MatrixArguments, options: GlobalOptions): readonly Row[] {
  return subjects.flatMap((subject) =>
    (subject.versions ?? [given.protocol]).map((protocol): Row => {
      const args = { ...given, protocol };
      const folder = `${subject.name.replaceAll(/[^\w-]+/g, '-')}-${String(protocol)}`;
      return { subject, args, options, folder, scenarios: selected(subject, args) };
    }),
  );
}

/** Names that differ only in marks, letters of other alphabets or case have the same folder: one row would delete the traces of the other. */
function refuseSharedFolders(rows: readonly Row[]): void {
  const names = new Map<string, string>();
  for (const { subject, folder } of rows) {
    const other = names.get(folder.toLowerCase());
    if (other !== undefined)
      throw new CommandError(
        `the traces of "${other}" and "${subject.name}" have the same folder, ${folder}: give one of them another name`,
        exitCodes.usage,
      );
    names.set(folder.toLowerCase(), subject.name);
  }
}

function selected({ client }: MatrixSubject, { only, protocol }: MatrixArguments): Scenarios {
  if (client)
    return { agent: undefined, client: selectScenarios(only, scenariosIn(protocol, clientScenarios), 'client') };
  return { agent: selectScenarios(only, scenariosIn(protocol, agentScenarios), 'agent'), client: undefined };
}

async function judged({ subject, scenarios, args, options, folder }: Row, stoppable: Stoppable): Promise<Judgement> {
  const { client } = subject;
  const traces = new TraceFolder(options.trace && join(options.trace, folder), client ? 'client' : 'agent');
  const running: Running = { subject, args, options, stoppable, onResult: (result) => traces.keep(result) };
  const selection = client ? scenarios.client : scenarios.agent;
  const judgement = client
    ? await judgedClient(running, scenarios.client?.scenarios ?? [])
    : await judgedAgent(running, scenarios.agent?.scenarios ?? []);
  await traces.written();
  return { ...judgement, verdicts: judgement.verdicts.filter((verdict) => selection?.concerns(verdict)) };
}

interface Running {
  readonly subject: MatrixSubject;
  readonly args: MatrixArguments;
  readonly options: GlobalOptions;
  readonly stoppable: Stoppable;
  readonly onResult: (result: ScenarioResult) => void;
}

async function judgedAgent(
  { subject: agent, args, options, stoppable, onResult }: Running,
  all: typeof agentScenarios,
): Promise<Judgement> {
  const { name, words, authMethod, prompts } = agent;
  const subject = subjectOf({ words, env: environmentOf(agent), cwd: options.cwd, sessionsIn: args.sessionsIn });
  const scenarios = all.filter((scenario) =>
    appliesTo(scenario, subject, { profiles: args.profile, version: args.protocol }),
  );
  using progress = new Progress(scenarios.length, `scenarios of ${name}`);
  return await checkAgent(stoppable.watched(subject), {
    ...(await checkSettings(args, options)),
    ...(authMethod !== undefined && { authMethod }),
    ...(prompts !== undefined && { steering: prompts }),
    scenarios,
    signal: stoppable.signal,
    onResult: (result) => {
      progress.take(result);
      onResult(result);
    },
  });
}

async function judgedClient(
  { subject: { name, words, driver }, args, options, stoppable, onResult }: Running,
  all: typeof clientScenarios,
): Promise<Judgement> {
  const subject = await checkedClient({ words, ...(driver !== undefined && { driver }) }, options.cwd);
  const scenarios = all.filter((scenario) =>
    isForClient(scenario, subject, { profiles: args.profile, version: args.protocol }),
  );
  using progress = new Progress(scenarios.length, `scenarios of ${name}`);
  return await checkClient(subject, {
    ...clientSettings(args),
    scenarios,
    signal: stoppable.signal,
    onResult: (result) => {
      progress.take(result);
      onResult(result);
    },
  });
}

/** The variables that every program needs and those of this agent. An agent never gets the key of another. */
function environmentOf({ env, inheritEnv }: MatrixSubject): Readonly<Record<string, string | undefined>> {
  const patterns = [...inheritedVariables, ...inheritEnv];
  const isPassed = ([key]: readonly [string, unknown]): boolean =>
    patterns.some((each) => (each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each));
  return { ...Object.fromEntries(Object.entries(process.env).filter(isPassed)), ...env };
}
