import { dirname, join, relative } from 'node:path';
import { inheritedVariables } from '@turnwire/client/node';
import {
  agentScenarios,
  appliesTo,
  checkAgent,
  checkClient,
  clientScenarios,
  isForClient,
  type Judgement,
  jsonReport,
  type Matrix,
  type MatrixEntry,
  matrixHtml,
  matrixMarkdown,
  matrixOf,
  type ScenarioResult,
  scenariosIn,
  summarise,
} from '@turnwire/conformance';
import type { CheckArguments } from './check-arguments.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { checkSettings, clientSettings } from './check-settings.ts';
import { subjectOf } from './check-subject.ts';
import { checkedClient } from './checked-client.ts';
import { Progress } from './progress.ts';
import { type MatrixSubject, readMatrix } from './read-matrix.ts';
import { selectScenarios, type Selection } from './select-scenarios.ts';
import { TraceFolder, traceName } from './trace-folder.ts';
import { type Stoppable, untilStopped } from './until-stopped.ts';
import { onStdout, prepareReports, writeReports } from './write-reports.ts';
import { stdout } from '../../terminal/output.ts';

/** Checks the agents and clients of a file one after the other and prints one table. Resolves with 1 if one of them does not conform. */
export async function checkMatrix(
  args: CheckArguments & { readonly matrix: string },
  options: GlobalOptions,
): Promise<number> {
  const [named] = [...args.words, args.agentName, options.agent].filter((each) => each !== undefined);
  if (named !== undefined)
    throw new CommandError(`--matrix checks the agents of its file: leave out ${named}`, exitCodes.usage);
  const subjects = await readMatrix(args.matrix);
  const all = subjects.flatMap((subject) =>
    (subject.versions ?? [args.protocol]).map((protocol) => ({ subject, args: { ...args, protocol } })),
  );
  // A selection that fits nothing is an error before anything runs.
  const rows = all.map((row) => ({ ...row, scenarios: selected(row.subject, row.args) }));
  onStdout(args);
  await prepareReports(args);
  const entries: MatrixEntry[] = [];
  // The page links to the traces from its own folder, Markdown on stdout from the current one.
  const base = typeof args.html === 'string' ? dirname(args.html) : (options.cwd ?? process.cwd());
  const work = async (stoppable: Stoppable): Promise<number> => {
    for (const row of rows) {
      const { name, packages } = row.subject;
      const judgement = await judged({ ...row, options }, stoppable);
      const traces = tracesOf(row, options);
      const traceOf = (scenario: string): string | undefined =>
        traces && relative(base, join(traces, traceName(scenario, 1)));
      entries.push({ name, judgement, ...(packages && { packages }), traceOf });
    }
    await report(entries, args);
    const isFine = entries.every(({ judgement }) => summarise(judgement, args.level).conclusion === 'conforming');
    return isFine ? exitCodes.ok : exitCodes.error;
  };
  return untilStopped(work, async () => {
    // The judgements made so far are complete.
    if (entries.length > 0) await report(entries, args);
    warn(`interrupted: ${entries.length} of ${rows.length} were judged`);
  });
}

function selected({ client }: MatrixSubject, { only, protocol }: CheckArguments): Scenarios {
  if (client)
    return { agent: undefined, client: selectScenarios(only, scenariosIn(protocol, clientScenarios), 'client') };
  return { agent: selectScenarios(only, scenariosIn(protocol, agentScenarios), 'agent'), client: undefined };
}

/** The folder for the traces of a row: each version has its own if there are several. */
function tracesOf(
  { subject: { name, versions = [] }, args }: Pick<Judging, 'subject' | 'args'>,
  { trace }: GlobalOptions,
): string | undefined {
  const folder = name.replaceAll(/[^\w-]+/g, '-');
  return trace === undefined
    ? undefined
    : join(trace, versions.length > 1 ? `${folder}-${String(args.protocol)}` : folder);
}

/** The selected scenarios for agents and clients; undefined if the matrix has none of the kind. */
interface Scenarios {
  readonly agent: Selection<(typeof agentScenarios)[number]> | undefined;
  readonly client: Selection<(typeof clientScenarios)[number]> | undefined;
}

interface Judging {
  readonly subject: MatrixSubject;
  readonly scenarios: Scenarios;
  readonly args: CheckArguments;
  readonly options: GlobalOptions;
}

async function judged({ subject, scenarios, args, options }: Judging, stoppable: Stoppable): Promise<Judgement> {
  const { client } = subject;
  const traces = new TraceFolder(tracesOf({ subject, args }, options), client ? 'client' : 'agent');
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
  readonly args: CheckArguments;
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

async function report(entries: readonly MatrixEntry[], args: CheckArguments): Promise<void> {
  const options = { from: args.level, madeAt: new Date() };
  const matrix: Matrix = matrixOf(entries, options);
  if (onStdout(args) === undefined) stdout.printExactly(matrixMarkdown(matrix, options.madeAt));
  const facts = (): object[] => entries.map(({ name, judgement }) => ({ name, ...jsonReport(judgement, options) }));
  await writeReports(args, {
    json: () => `${JSON.stringify(facts(), undefined, 2)}\n`,
    html: () => matrixHtml(matrix, options.madeAt),
  });
}
