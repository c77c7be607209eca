// npm run bench -- wire|compat|remote|gateway|nodes|transcript|coder|tasks|command|render|web [--quick] [--json FILE] [--only CASE,…] [--protocol 1|2]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { asJson, asTable } from './report.ts';
import { coderFigures, coderTable } from './coder/coder-report.ts';
import { compatFigures, compatTable } from './compat/compat-report.ts';
import { commandTable, measureCommand } from './command/command-bench.ts';
import { measureRender, renderTable } from './render/render-bench.ts';
import { runSuite, runTrial } from './run-suite.ts';
import { casesOf } from './suites.ts';
import { trialTable } from './gateway/trial.ts';
import { trials } from './gateway/trials.ts';
import { costTable } from './nodes/cost-model.ts';
import { measureNodes, nodesTrials } from './nodes/nodes-bench.ts';
import { contenderNames } from './tasks/contenders.ts';
import { measureTasks, tasksTable } from './tasks/tasks-bench.ts';
import { transcriptFigures, transcriptTable } from './transcript/transcript-report.ts';
import { measureWeb, webCases, webTable } from './web/web-bench.ts';

const gatewayCases = await casesOf('gateway');

const usage = `npm run bench -- wire|compat|remote|gateway|nodes|transcript|coder|tasks|command|render|web [--quick] [--json FILE] [--only CASE,…]

  wire         Turnwire, compared with the official SDK and the floor
  compat       one program on the official SDK and on sdk-compat
  remote       the same over WebSocket and HTTP, and the cost of 10,000 connections
  gateway      10,000 sessions behind a gateway that stores them, compared with servers without storage;
               its added latency; storms, slow readers, kills
  nodes        several gateways on one PostgreSQL: kills, stops, a stopped database; the cost of another node
  transcript   the view of a session, turns of 1,000 to 100,000 updates
  coder        the coding agent: its start, an edit, a search, compared with the minimum that each needs
  tasks        forty small tasks of a programmer, done by the coding agent, opencode and pi with a scripted model
  command      waiting times of users: the first screen of a chat, and a turn of exec compared with acpx
  render       the interactive client at 10,000 updates a second, in a terminal emulator (on Linux)
  web          the page of turnwire serve, in headless Chromium
  --quick      3 short rounds instead of 5
  --json FILE  write the medians to FILE as well
  --protocol 2 the cases of wire that differ, in version 2 of the protocol
  --only       only these cases, of wire: ${namesOf(await casesOf('wire'))};
               of compat: ${namesOf(await casesOf('compat'))};
               of remote: ${namesOf(await casesOf('remote'))};
               of gateway: ${namesOf([...gatewayCases, ...trials])};
               of nodes: ${namesOf(nodesTrials)};
               of web: ${namesOf(webCases)};
               of tasks, only these agents: ${contenderNames.join(', ')}
`;

const { suite, quick, json, only, protocol } = readArguments();
if (protocol !== undefined) process.env['TURNWIRE_BENCH_PROTOCOL'] = protocol;
const effort = quick ? { rounds: 3, seconds: 0.4 } : { rounds: 5, seconds: 1 };
const suites = {
  wire: () => benchSuite('wire'),
  compat: benchCompat,
  remote: () => benchSuite('remote'),
  gateway: benchGateway,
  nodes: benchNodes,
  transcript: benchTranscript,
  coder: benchCoder,
  tasks: benchTasks,
  command: benchCommand,
  render: benchRender,
  web: benchWeb,
};
if (suite === undefined || !Object.hasOwn(suites, suite))
  fail(suite === undefined ? 'Name a bench.' : `There is no bench called ${suite}.`);

const { table, figures } = await suites[suite as keyof typeof suites]();
console.log(table);
if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, undefined, 2)}\n`);

interface Outcome {
  readonly table: string;
  /** For other programs. */
  readonly figures: object;
}

async function benchTranscript(): Promise<Outcome> {
  const cases = await casesOf('transcript');
  const figures = transcriptFigures(runSuite({ suite: 'transcript', cases }, { rounds: quick ? 3 : 5, seconds: 1 }));
  return { table: transcriptTable(figures), figures };
}

async function benchCompat(): Promise<Outcome> {
  const figures = compatFigures(runSuite({ suite: 'compat', cases: selected(await casesOf('compat')) }, effort));
  return { table: compatTable(figures), figures };
}

async function benchCoder(): Promise<Outcome> {
  const cases = await casesOf('coder');
  const figures = coderFigures(runSuite({ suite: 'coder', cases }, { rounds: quick ? 3 : 7, seconds: 1 }));
  return { table: coderTable(figures), figures };
}

async function benchTasks(): Promise<Outcome> {
  const chosen = selected(contenderNames.map((name) => ({ name }))).map(({ name }) => name);
  const figures = await measureTasks(chosen, quick);
  return { table: tasksTable(figures), figures };
}

async function benchCommand(): Promise<Outcome> {
  const figures = await measureCommand(quick ? 3 : 10);
  return { table: commandTable(figures), figures };
}

async function benchRender(): Promise<Outcome> {
  const measured = await measureRender(quick ? 3 : 10);
  return { table: renderTable(measured), figures: measured };
}

/** Runs the cases with several contenders, then the trials, which only a gateway has. */
function benchGateway(): Outcome {
  const names = selected([...gatewayCases, ...trials]).map(({ name }) => name);
  const cases = gatewayCases.filter(({ name }) => names.includes(name));
  const results = runSuite({ suite: 'gateway', cases }, effort);
  const figures = trials.filter(({ name }) => names.includes(name)).flatMap(({ name }) => runTrial(name, quick));
  const table = [
    ...(results.length > 0 ? [asTable(results)] : []),
    ...(figures.length > 0 ? [trialTable(figures)] : []),
  ];
  return { table: table.join('\n\n'), figures: { ...asJson(results), trials: figures } };
}

async function benchNodes(): Promise<Outcome> {
  const figures = await measureNodes(selected(nodesTrials), { isQuick: quick });
  const costs = costTable(figures);
  return { table: [trialTable(figures), ...(costs === undefined ? [] : [costs])].join('\n\n'), figures };
}

async function benchWeb(): Promise<Outcome> {
  const measured = await measureWeb(selected(webCases), { quick });
  return { table: webTable(measured), figures: measured };
}

async function benchSuite(name: 'wire' | 'remote'): Promise<Outcome> {
  const results = runSuite({ suite: name, cases: selected(await casesOf(name)) }, effort);
  return { table: asTable(results), figures: asJson(results) };
}

/** The cases that `--only` names, else all. */
function selected<Each extends { readonly name: string }>(all: readonly Each[]): readonly Each[] {
  const unknown = only?.find((name) => !all.some((each) => each.name === name));
  if (unknown !== undefined) fail(`There is no case called ${unknown}.`);
  return all.filter(({ name }) => only?.includes(name) !== false);
}

function namesOf(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(', ');
}

interface Arguments {
  readonly suite: string | undefined;
  readonly quick: boolean;
  readonly json?: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly protocol?: string | undefined;
}

function readArguments(): Arguments {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        only: { type: 'string' },
        protocol: { type: 'string' },
      },
    });
    if (![undefined, '1', '2'].includes(values.protocol)) return fail('--protocol is 1 or 2.');
    return { ...values, suite: positionals[0], only: values.only?.split(',') };
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}
