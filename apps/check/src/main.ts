import { writeFile } from 'node:fs/promises';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import {
  acpxDriver,
  type AgentSubject,
  badgeReport,
  checkAgent,
  checkClient,
  commandClient,
  commandSubject,
  type ExtraProfile,
  htmlReport,
  type Judgement,
  jsonReport,
  junitReport,
  plainDriver,
  type ReportOptions,
  type RunOptions,
  type Strictness,
  summarise,
  turnwireDriver,
  withoutSecrets,
} from '@turnwire/conformance';

const help = `turnwire-check [options] -- AGENT…           checks the agent that this command starts
turnwire-check --client [options] -- CLIENT…  checks a client; {agent} and {prompt} stand for an agent and a prompt
turnwire-check --client acpx                  a client with a built-in driver: acpx, turnwire

  --level must|should      the lowest level whose violations count (must)
 --profile NAME           also judge the requirements of proposals or dialects: proposal, dialect, unstable
  --jobs COUNT             how many scenarios run at a time (4)
  --seed NUMBER            repeats the random scenarios of that seed
  --auth-method ID         log in with this method first
  --json FILE, --junit FILE, --html FILE, --badge FILE
                           write a report

Exit codes: 0 conforming, 1 not conforming or not judged, 2 invalid command line.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  client: { type: 'boolean' },
  level: { type: 'string', default: 'must' },
  profile: { type: 'string', multiple: true },
  jobs: { type: 'string', default: '4' },
  seed: { type: 'string' },
  'auth-method': { type: 'string' },
  json: { type: 'string' },
  junit: { type: 'string' },
  html: { type: 'string' },
  badge: { type: 'string' },
} as const;

type CommandLine = ReturnType<typeof parseArgs<{ readonly options: typeof options; readonly allowPositionals: true }>>;
type Options = CommandLine['values'];

/**
 * Runs the check that a command line describes, prints the violations and writes reports. Resolves with the exit code.
 * @param args the command line without the program
 */
export async function main(args: readonly string[]): Promise<number> {
  let commandLine: CommandLine;
  try {
    commandLine = parsed(args);
  } catch (error) {
    process.stderr.write(`turnwire-check: ${(error as Error).message}\n\n${help}`);
    return 2;
  }
  const { values, positionals } = commandLine;
  if (values.help === true || positionals.length === 0) {
    (values.help === true ? process.stdout : process.stderr).write(help);
    return values.help === true ? 0 : 2;
  }
  const judgement = await judged(positionals, values);
  const report: ReportOptions = { from: values.level as Strictness, madeAt: new Date() };
  print(withoutSecrets(judgement), report.from);
  await writeReports(judgement, values, report);
  return summarise(judgement, report.from).conclusion === 'conforming' ? 0 : 1;
}

function parsed(args: readonly string[]): CommandLine {
  const commandLine = parseArgs({ args: [...args], options, allowPositionals: true });
  const { level, profile = [], jobs, seed = '0' } = commandLine.values;
  if (!['must', 'should'].includes(level)) throw new Error('--level must be must or should');
  if (!profile.every((each) => each === 'proposal' || each === 'dialect' || each === 'unstable'))
    throw new Error('--profile must be proposal, dialect or unstable');
  if (!/^[1-9]\d*$/.test(jobs)) throw new Error('--jobs must be a number of at least 1');
  if (!/^\d+$/.test(seed)) throw new Error('--seed must be a number');
  return commandLine;
}

async function judged(argv: readonly string[], values: Options): Promise<Judgement> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('interrupted')));
  let done = 0;
  const settings: RunOptions & { readonly seed?: number } = {
    jobs: Number(values.jobs),
    profiles: values.profile as readonly ExtraProfile[] | undefined,
    signal: stop.signal,
    onResult: () => void (process.stderr.isTTY && process.stderr.write(`\r${++done} scenarios `)),
    ...(values.seed !== undefined && { seed: Number(values.seed) }),
  };
  if (values.client === true) return checkClient(commandClient(driverFor(argv)), settings);
  const authMethod = values['auth-method'];
  const subject = commandSubject(argv);
  // Start the agent in the user's folder, so that `node agent.js` finds its file.
  const here: AgentSubject = { ...subject, open: ({ home }) => subject.open({ cwd: process.cwd(), home }) };
  return checkAgent(here, { ...settings, ...(authMethod !== undefined && { authMethod }) });
}

function driverFor(argv: readonly string[]): ReturnType<typeof plainDriver> {
  const known = { acpx: acpxDriver, turnwire: turnwireDriver } as const;
  const [first = ''] = argv;
  return argv.length === 1 && Object.hasOwn(known, first) ? known[first as keyof typeof known]() : plainDriver(argv);
}

function print(judgement: Judgement, from: Strictness): void {
  const { causes, sentence, broken } = summarise(judgement, from);
  const lines = causes.flatMap(({ verdict, explains }) => {
    const { requirement, findings } = verdict;
    const mark = broken.includes(verdict) ? '✗' : '!';
    return [
      `${mark} ${requirement.id} ${requirement.level}: ${requirement.behaviour}`,
      ...findings.slice(0, 3).map(({ message, scenario }) => `    ${message} (${scenario})`),
      ...explains.map(({ requirement: { id, behaviour } }) => `    the same violation breaks ${id}: ${behaviour}`),
    ];
  });
  const { lastOutput } = judgement;
  const ending = lastOutput === undefined ? [] : ['The end of its output:', ...lastOutput.split('\n')];
  for (const line of [...lines, '', sentence, ...ending]) process.stdout.write(`${visible(line)}\n`);
}

/** Removes control sequences from a line that may contain output of an agent. */
function visible(line: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return stripVTControlCharacters(line).replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ');
}

async function writeReports(
  judgement: Judgement,
  { json, junit, html, badge }: Options,
  report: ReportOptions,
): Promise<void> {
  if (json !== undefined) await writeFile(json, `${JSON.stringify(jsonReport(judgement, report), undefined, 2)}\n`);
  if (junit !== undefined) await writeFile(junit, junitReport(judgement, report));
  if (html !== undefined) await writeFile(html, htmlReport(judgement, report));
  if (badge !== undefined) await writeFile(badge, badgeReport(judgement, report));
}
