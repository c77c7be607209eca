import { join } from 'node:path';
import { inheritedVariables } from '@turnwire/client/node';
import {
  agentScenarios,
  appliesTo,
  checkAgent,
  jsonReport,
  type Matrix,
  type MatrixEntry,
  matrixHtml,
  matrixMarkdown,
  matrixOf,
  summarise,
} from '@turnwire/conformance';
import type { CheckGiven } from './check-given.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { checkSettings } from './check-settings.ts';
import { subjectOf } from './check-subject.ts';
import { Progress } from './progress.ts';
import { type MatrixAgent, readMatrix } from './read-matrix.ts';
import { selectScenarios, type Selection } from './select-scenarios.ts';
import { TraceFolder } from './trace-folder.ts';
import { type Stoppable, untilStopped } from './until-stopped.ts';
import { onStdout, prepareReports, writeReports } from './write-reports.ts';
import { stdout } from '../../terminal/output.ts';

type Scenarios = Selection<(typeof agentScenarios)[number]>;

/** Judges the agents of a file one after the other, and prints one table. Resolves with 1 if one of them does not conform. */
export async function checkMatrix(
  given: CheckGiven & { readonly matrix: string },
  options: GlobalOptions,
): Promise<number> {
  const [named] = [...given.words, given.agentName, options.agent].filter((each) => each !== undefined);
  if (named !== undefined)
    throw new CommandError(
      `--matrix judges the agents of its file, so ${named} cannot be given as well`,
      exitCodes.usage,
    );
  const agents = await readMatrix(given.matrix);
  const selection = selectScenarios(given.only, agentScenarios, 'agent');
  onStdout(given);
  await prepareReports(given);
  const entries: MatrixEntry[] = [];
  const work = async (stoppable: Stoppable): Promise<number> => {
    for (const agent of agents) entries.push(await judged({ agent, selection, given, options }, stoppable));
    await report(entries, given);
    const isFine = entries.every(({ judgement }) => summarise(judgement, given.level).conclusion === 'conforming');
    return isFine ? exitCodes.ok : exitCodes.error;
  };
  return untilStopped(work, async () => {
    // The judgements made so far are complete.
    if (entries.length > 0) await report(entries, given);
    complain(`interrupted: ${entries.length} of ${agents.length} agents are judged`);
  });
}

interface Judging {
  readonly agent: MatrixAgent;
  readonly selection: Scenarios;
  readonly given: CheckGiven;
  readonly options: GlobalOptions;
}

async function judged(
  { agent, selection, given, options }: Judging,
  { signal, watched }: Stoppable,
): Promise<MatrixEntry> {
  const { name, words, authMethod, prompts } = agent;
  const subject = subjectOf({ words, env: environmentOf(agent), cwd: options.cwd });
  const scenarios = selection.scenarios.filter((scenario) => appliesTo(scenario, subject, given.profile));
  using progress = new Progress(scenarios.length, `scenarios of ${name}`);
  const folder = options.trace === undefined ? undefined : join(options.trace, name.replaceAll(/[^\w-]+/g, '-'));
  const traces = new TraceFolder(folder, 'agent');
  const judgement = await checkAgent(watched(subject), {
    ...(await checkSettings(given, options)),
    ...(authMethod !== undefined && { authMethod }),
    ...(prompts !== undefined && { steering: prompts }),
    scenarios,
    signal,
    onResult: (result) => {
      progress.take(result);
      traces.keep(result);
    },
  });
  await traces.written();
  return { name, judgement: { ...judgement, verdicts: judgement.verdicts.filter(selection.concerns) } };
}

/** The variables every program needs, and those given for this agent: an agent never gets the key of another. */
function environmentOf({ env, inheritEnv }: MatrixAgent): Readonly<Record<string, string | undefined>> {
  const patterns = [...inheritedVariables, ...inheritEnv];
  const isPassed = ([key]: readonly [string, unknown]): boolean =>
    patterns.some((each) => (each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each));
  return { ...Object.fromEntries(Object.entries(process.env).filter(isPassed)), ...env };
}

async function report(entries: readonly MatrixEntry[], given: CheckGiven): Promise<void> {
  const options = { from: given.level, madeAt: new Date() };
  const matrix: Matrix = matrixOf(entries, options);
  if (onStdout(given) === undefined) stdout.printExactly(matrixMarkdown(matrix));
  const facts = (): object[] => entries.map(({ name, judgement }) => ({ name, ...jsonReport(judgement, options) }));
  await writeReports(given, {
    json: () => `${JSON.stringify(facts(), undefined, 2)}\n`,
    html: () => matrixHtml(matrix, options.madeAt),
  });
}
