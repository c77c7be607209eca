import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { driveInBrowser } from './drive-in-browser.ts';
import type { Frames } from './frames.ts';
import type { Json } from './model/format.ts';
import { kill, processesWith, waitUntilGone } from './processes.ts';
import type { CommandOutcome, Stage } from './stage.ts';
import { hostCommand } from '../../apps/cli/src/session-host/host-command.ts';

/** What a step found out: what is worth knowing when it went well, and what went wrong. */
export interface Findings {
  readonly notes: readonly string[];
  /** How the agent differs from others, as the table of known agents says. */
  readonly differs?: readonly string[];
  readonly failures: readonly string[];
}

/** One thing every agent has to get through. */
export interface Step {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<Findings>;
}

/** How long an agent's processes may take to go, in milliseconds. */
const goneWithin = 10_000;

/** The steps, in the order they are run. */
export const steps: readonly Step[] = [
  { name: 'text', run: text },
  { name: 'write', run: write },
  { name: 'read', run: read },
  { name: 'run', run: run },
  { name: 'deny', run: deny },
  { name: 'cancel', run: cancel },
  { name: 'load', run: load },
  { name: 'owner', run: owner },
  { name: 'kill', run: killed },
  { name: 'web', run: web },
];

async function text(stage: Stage): Promise<Findings> {
  const outcome = await stage.exec('script: say hello from the model', approve);
  return judged(stage, outcome, {
    'the model was not heard': outcome.frames.said('agent').includes('hello from the model'),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function write(stage: Stage): Promise<Findings> {
  const file = join(stage.work, 'written.txt');
  const outcome = await stage.exec(`script: write ${file} written by the agent`, approve);
  const content = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  return judged(stage, outcome, {
    [`the file holds ${JSON.stringify(content)}`]: content?.trim() === 'written by the agent',
    ...toolCallsDone(outcome),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function read(stage: Stage): Promise<Findings> {
  const file = join(stage.work, 'to-read.txt');
  await writeFile(file, 'the first line\nthe second line\n');
  const outcome = await stage.exec(`script: read ${file}`, approve);
  return judged(stage, outcome, {
    'the model did not get the file': outcome.frames.said('agent').includes('the second line'),
    ...toolCallsDone(outcome),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function run(stage: Stage): Promise<Findings> {
  const file = join(stage.work, 'ran.txt');
  const outcome = await stage.exec(`script: run echo it ran | tee ${file}`, approve);
  return judged(stage, outcome, {
    'the command did not run': existsSync(file),
    'the model did not get the output': outcome.frames.said('agent').includes('it ran'),
    ...toolCallsDone(outcome),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function deny(stage: Stage): Promise<Findings> {
  const command = await denied(stage, (file) => `script: run touch ${file}`);
  const change = await denied(stage, (file) => `script: write ${file} though it was denied`);
  return {
    notes: [...command.notes, ...change.notes],
    failures: [...command.failures, ...change.failures.map((failure) => `a file: ${failure}`)],
    differs: [...new Set([...(command.differs ?? []), ...(change.differs ?? [])])],
  };
}

async function denied(stage: Stage, prompt: (file: string) => string): Promise<Findings> {
  const file = join(stage.work, 'denied.txt');
  const outcome = await stage.exec(prompt(file), { flags: ['--deny-all'] });
  const wasDone = existsSync(file);
  await rm(file, { force: true });
  if (stage.known?.differences?.asking?.by === 'nothing') {
    const checks = {
      'it was done though it was denied': !wasDone,
      'it was started': outcome.frames.agentInfo === undefined,
    };
    const code = { [`the exit code is ${outcome.code}, not 5`]: outcome.code === 5 };
    return {
      ...(await judged(stage, outcome, { ...checks, ...code })),
      differs: ['it asks nobody: it is not started'],
    };
  }
  const open = outcome.frames.toolCalls.filter(({ status }) => status !== 'completed' && status !== 'failed');
  const findings = await judged(stage, outcome, {
    'it was done though it was denied': !wasDone,
    [`the exit code is ${outcome.code}, not 5`]: outcome.code === 5,
  });
  const differs = [
    ...(outcome.frames.stopReason === 'end_turn' ? [] : [`the turn ended with ${outcome.frames.stopReason}`]),
    ...open.map((call) => `a call was left ${String(call['status'])}`),
  ];
  return { ...findings, differs };
}

async function cancel(stage: Stage): Promise<Findings> {
  let asked = 0;
  const outcome = await stage.exec('script: hang', {
    ...approve,
    onFirstWords: (child) => {
      asked = Date.now();
      child.kill('SIGINT');
    },
  });
  const took = `${Date.now() - asked} ms from Ctrl-C to the end`;
  const findings = await judged(stage, outcome, {
    'the agent said nothing': asked > 0,
    ...ended(outcome, { code: 130, stopReason: 'cancelled' }),
  });
  return { ...findings, notes: [took, ...findings.notes] };
}

/** A session that one process has left is loaded by another: its history is told again, and a turn continues from there. */
async function load(stage: Stage): Promise<Findings> {
  const first = await stage.exec('script: say remember the blue door', approve);
  const { sessionId } = first.frames;
  if (sessionId === undefined) return { notes: [], failures: [`no session to load: ${first.stderr.trim()}`] };
  const begun = await stage.turnwire(['sessions', 'new', '--name', 'again', '--resume-session', sessionId]);
  const before = await stage.turnwire(['sessions', 'history', 'again', '--limit', '100']);
  const words = ['--approve-all', '--format', 'json', 'prompt', '-s', 'again', 'script: say the door is open'];
  const outcome = await stage.turnwire(words);
  const after = await stage.turnwire(['sessions', 'history', 'again', '--limit', '100']);
  const closed = await stage.turnwire(['sessions', 'close', 'again']);
  const asked = stage.model.requests.findLast(({ reply }) => reply?.kind === 'text' && reply.text.includes('open'));
  const findings = await judged(stage, outcome, {
    'it could not be loaded': begun.code === 0,
    'nothing was replayed': before.stdout.includes('remember the blue door'),
    'the turn after it was not heard': outcome.frames.said('agent').includes('the door is open'),
    'what was replayed is told in the turn': !outcome.frames.said('agent').includes('blue door'),
    'the agent does not know what came before': JSON.stringify(asked?.body ?? '').includes('the blue door'),
    'something is told twice': occurrences(after.stdout, 'remember the blue door') <= 2,
    [`the exit codes are ${outcome.code}, ${closed.code}`]: outcome.code === 0 && closed.code === 0,
    ...(begun.code === 0 ? {} : { [`stderr: ${begun.stderr.trim()}`]: false }),
  });
  return { ...findings, differs: waits(begun.stderr) };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** What the user is told of a wait before the session is loaded. */
function waits(stderr: string): readonly string[] {
  return [...stderr.matchAll(/Waiting \d+ s before the session is loaded/g)].map(([line]) => line.toLowerCase());
}

async function owner(stage: Stage): Promise<Findings> {
  await stage.turnwire(['sessions', 'new']);
  await stage.turnwire(['--approve-all', 'prompt', 'script: say remember the red gate']);
  const owners = (await processesWith(stage.mark)).filter(({ command }) => command.endsWith(hostCommand));
  kill(owners);
  const left = await waitUntilGone(stage.mark, goneWithin);
  const outcome = await stage.turnwire(['--approve-all', 'prompt', 'script: say the gate is open']);
  const history = await stage.turnwire(['sessions', 'history', '--limit', '100']);
  const closed = await stage.turnwire(['sessions', 'close']);
  const asked = stage.model.requests.findLast(({ reply }) => reply?.kind === 'text' && reply.text.includes('open'));
  const findings = await judged(stage, outcome, {
    'no owner was running': owners.length === 1,
    [`the agent outlived its owner: ${survived(left)}`]: left.length === 0,
    'the turn after it was not heard': outcome.stdout.includes('the gate is open'),
    'the agent does not know what came before': JSON.stringify(asked?.body ?? '').includes('the red gate'),
    'the history is not whole': /the red gate[^]*the gate is open/.test(history.stdout),
    'what was replayed is told in the turn': !outcome.stdout.includes('red gate'),
    'something is told twice': occurrences(history.stdout, 'remember the red gate') <= 2,
    [`the exit codes are ${outcome.code}, ${history.code}, ${closed.code}`]:
      outcome.code === 0 && history.code === 0 && closed.code === 0,
  });
  return { ...findings, differs: waits(outcome.stderr) };
}

async function killed(stage: Stage): Promise<Findings> {
  const outcome = await stage.exec('script: hang', { ...approve, onFirstWords: (child) => child.kill('SIGKILL') });
  const started = Date.now();
  const left = await waitUntilGone(stage.mark, goneWithin);
  kill(left);
  const checks = { 'it was not killed': outcome.signal === 'SIGKILL', [survived(left)]: left.length === 0 };
  return { notes: [`all gone after ${Date.now() - started} ms`], failures: failed(checks) };
}

/** A turn in the page of `turnwire serve`: a command that is allowed, and one that is rejected if the agent asks. */
async function web(stage: Stage): Promise<Findings> {
  const [allowed, rejected] = ['ran.txt', 'rejected.txt'].map((name) => join(stage.work, name)) as [string, string];
  await rm(allowed, { force: true });
  const page = await driveInBrowser(stage, [
    { prompt: `script: run echo it ran | tee ${allowed}`, answer: 'allow' },
    { prompt: `script: run touch ${rejected}`, answer: 'reject' },
  ]);
  const [first, second] = page.turns;
  const asksNobody = stage.known?.differences?.asking?.by === 'nothing';
  const left = await waitUntilGone(stage.mark, goneWithin);
  kill(left);
  return {
    notes: page.turns.map(({ asked, tools }) => `asked ${asked.length}, tools ${tools.join('/')}`),
    ...(asksNobody && { differs: ['it asks nobody'] }),
    failures: failed({
      'the command did not run': existsSync(allowed),
      'the page does not show what came of it': first?.said.includes('it ran') === true,
      [`the tool calls are shown as ${first?.tools.join(', ')}`]: first?.tools.join() === 'completed',
      'the question does not show the command':
        asksNobody || second?.asked.some((each) => each.includes(rejected)) === true,
      'it was done though it was rejected': asksNobody || !existsSync(rejected),
      [`the page reports ${page.errors.join('; ')}`]: page.errors.length === 0,
      [survived(left)]: left.length === 0,
    }),
  };
}

const approve = { flags: ['--approve-all'] };

type Checks = Readonly<Record<string, boolean>>;

async function judged(stage: Stage, outcome: CommandOutcome, checks: Checks): Promise<Findings> {
  const left = await waitUntilGone(stage.mark, 500);
  kill(left);
  const failures = failed({ ...checks, [survived(left)]: left.length === 0 });
  const words = failures.length > 0 && outcome.stderr.trim() !== '' ? [`stderr: ${outcome.stderr.trim()}`] : [];
  return { notes: observations(outcome.frames), failures: [...failures, ...words] };
}

function failed(checks: Checks): readonly string[] {
  return Object.entries(checks).flatMap(([failure, isFine]) => (isFine ? [] : [failure]));
}

function ended(outcome: CommandOutcome, wanted: { readonly code: number; readonly stopReason: string }): Checks {
  const { code, frames } = outcome;
  return {
    [`the exit code is ${code}, not ${wanted.code}`]: code === wanted.code,
    [`the stop reason is ${frames.stopReason}, not ${wanted.stopReason}`]: frames.stopReason === wanted.stopReason,
  };
}

function toolCallsDone({ frames }: CommandOutcome): Checks {
  const states = frames.toolCalls.map(({ status }) => status);
  return { [`the tool calls ended as ${JSON.stringify(states)}`]: states.every((state) => state === 'completed') };
}

function survived(left: readonly { readonly command: string }[]): string {
  return `survivors: ${left.map(({ command }) => command.slice(0, 120)).join('; ')}`;
}

/** What the frames show that a client has to know. */
function observations(frames: Frames): readonly string[] {
  const options = frames.calls('session/request_permission').map(({ params }) => (params as Json)['options'] as Json[]);
  const kinds = options.map((each) => each.map(({ kind }) => kind).join('/'));
  const calls = frames.toolCalls.map(
    (call) => `${String(call['kind'])} ${String(call['status'])}${outputPlaces(call)}`,
  );
  return [
    ...kinds.map((kind) => `asked ${kind}`),
    ...calls.map((call) => `call ${call}`),
    ...(frames.methods.length > 0 ? [`methods ${frames.methods.join(' ')}`] : []),
  ];
}

function outputPlaces(call: Json): string {
  const places = [
    ...((call['content'] as Json[] | undefined) ?? []).map(({ type }) => `content:${String(type)}`),
    ...(call['rawOutput'] === undefined ? [] : ['rawOutput']),
    ...Object.keys((call['_meta'] as Json | undefined) ?? {}).map((name) => `_meta.${name}`),
  ];
  return places.length > 0 ? ` in ${places.join(' ')}` : '';
}
