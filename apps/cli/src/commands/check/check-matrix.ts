import { inheritedVariables } from '@agentwire/client';
import {
  agentScenarios,
  checkAgent,
  jsonReport,
  type Matrix,
  type MatrixEntry,
  matrixHtml,
  matrixMarkdown,
  matrixOf,
  summarise,
} from '@agentwire/conformance';
import type { CheckGiven } from './check-given.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { checkSettings } from './check-settings.ts';
import { subjectOf } from './check-subject.ts';
import { Progress } from './progress.ts';
import { type MatrixAgent, readMatrix } from './read-matrix.ts';
import { selectScenarios, type Selection } from './select-scenarios.ts';
import { type Stoppable, untilStopped } from './until-stopped.ts';
import { onStdout, prepareReports, writeReports } from './write-reports.ts';

type Scenarios = Selection<(typeof agentScenarios)[number]>;

/** Judges the agents of a file, one after the other, and prints one table. Resolves with 1 if one of them does not conform. */
export async function checkMatrix(
  given: CheckGiven & { readonly matrix: string },
  options: GlobalOptions,
): Promise<number> {
  const agents = await readMatrix(given.matrix);
  const selection = selectScenarios(given.only, agentScenarios, 'agent');
  onStdout(given);
  await prepareReports(given);
  return untilStopped(async (stoppable) => {
    const entries: MatrixEntry[] = [];
    for (const agent of agents) entries.push(await judged({ agent, selection, given, options }, stoppable));
    await report(entries, given);
    const isFine = entries.every(({ judgement }) => summarise(judgement, given.level).conclusion === 'conforming');
    return isFine ? exitCodes.ok : exitCodes.error;
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
  const { scenarios, concerns } = selection;
  using progress = new Progress(scenarios.length, `scenarios of ${name}`);
  const judgement = await checkAgent(watched(subjectOf({ words, env: environmentOf(agent), cwd: options.cwd })), {
    ...(await checkSettings(given, options)),
    ...(authMethod !== undefined && { authMethod }),
    ...(prompts !== undefined && { steering: prompts }),
    scenarios,
    signal,
    onResult: progress.take,
  });
  return { name, judgement: { ...judgement, verdicts: judgement.verdicts.filter(concerns) } };
}

/** What every program needs, and what is said for this agent: no key of one agent gets to another. */
function environmentOf({ env, inheritEnv }: MatrixAgent): Readonly<Record<string, string | undefined>> {
  const patterns = [...inheritedVariables, ...inheritEnv];
  const isPassed = ([key]: readonly [string, unknown]): boolean =>
    patterns.some((each) => (each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each));
  return { ...Object.fromEntries(Object.entries(process.env).filter(isPassed)), ...env };
}

async function report(entries: readonly MatrixEntry[], given: CheckGiven): Promise<void> {
  const options = { from: given.level, madeAt: new Date() };
  const matrix: Matrix = matrixOf(entries, options);
  if (onStdout(given) === undefined) process.stdout.write(matrixMarkdown(matrix));
  const facts = (): object[] => entries.map(({ name, judgement }) => ({ name, ...jsonReport(judgement, options) }));
  await writeReports(given, {
    json: () => `${JSON.stringify(facts(), undefined, 2)}\n`,
    html: () => matrixHtml(matrix, options.madeAt),
    // The grammar refuses it beside --matrix.
    junit: () => '',
  });
}
