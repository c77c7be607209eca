import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { driveInBrowser } from './drive-in-browser.ts';
import type { Frames } from './frames.ts';
import type { Json } from './model/format.ts';
import { kill, processesWith, waitUntilGone } from './processes.ts';
import type { CommandOutcome, AgentFixture } from './agent-fixture.ts';
import { hostCommand } from '../../apps/cli/src/session-host/host-command.ts';

/** The result of a step: notes if it went well, and failures. */
export interface Findings {
  readonly notes: readonly string[];
  /** Differences to other agents, according to the table of known agents. */
  readonly differs?: readonly string[];
  readonly failures: readonly string[];
}

/** A test that every agent must pass. */
export interface Step {
  readonly name: string;
  readonly run: (fixture: AgentFixture) => Promise<Findings>;
}

/** How long the processes of an agent may take to exit, in milliseconds. */
const goneWithin = 10_000;

/** The steps, in the order in which they are run. */
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

async function text(fixture: AgentFixture): Promise<Findings> {
  const outcome = await fixture.exec('script: say hello from the model', approve);
  return judged(fixture, outcome, {
    'the text of the model is missing': outcome.frames.said('agent').includes('hello from the model'),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function write(fixture: AgentFixture): Promise<Findings> {
  const file = join(fixture.work, 'written.txt');
  const outcome = await fixture.exec(`script: write ${file} written by the agent`, approve);
  const content = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  return judged(fixture, outcome, {
    [`the file contains ${JSON.stringify(content)}`]: content?.trim() === 'written by the agent',
    ...toolCallsDone(outcome),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function read(fixture: AgentFixture): Promise<Findings> {
  const file = join(fixture.work, 'to-read.txt');
  await writeFile(file, 'the first line\nthe second line\n');
  const outcome = await fixture.exec(`script: read ${file}`, approve);
  return judged(fixture, outcome, {
    'the model did not receive the file': outcome.frames.said('agent').includes('the second line'),
    ...toolCallsDone(outcome),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function run(fixture: AgentFixture): Promise<Findings> {
  const file = join(fixture.work, 'ran.txt');
  const outcome = await fixture.exec(`script: run echo it ran | tee ${file}`, approve);
  return judged(fixture, outcome, {
    'the command did not run': existsSync(file),
    'the model did not receive the output': outcome.frames.said('agent').includes('it ran'),
    ...toolCallsDone(outcome),
    ...ended(outcome, { code: 0, stopReason: 'end_turn' }),
  });
}

async function deny(fixture: AgentFixture): Promise<Findings> {
  const command = await denied(fixture, (file) => `script: run touch ${file}`);
  const change = await denied(fixture, (file) => `script: write ${file} though it was denied`);
  return {
    notes: [...command.notes, ...change.notes],
    failures: [...command.failures, ...change.failures.map((failure) => `a file: ${failure}`)],
    differs: [...new Set([...(command.differs ?? []), ...(change.differs ?? [])])],
  };
}

async function denied(fixture: AgentFixture, prompt: (file: string) => string): Promise<Findings> {
  const file = join(fixture.work, 'denied.txt');
  const outcome = await fixture.exec(prompt(file), { flags: ['--deny-all'] });
  const wasDone = existsSync(file);
  await rm(file, { force: true });
  if (fixture.known?.differences?.asking?.by === 'nothing') {
    const checks = {
      'it was done although it was denied': !wasDone,
      'the agent was started': outcome.frames.agentInfo === undefined,
    };
    const code = { [`the exit code is ${outcome.code}, not 5`]: outcome.code === 5 };
    return {
      ...(await judged(fixture, outcome, { ...checks, ...code })),
      differs: ['it never asks, so it is not started'],
    };
  }
  const open = outcome.frames.toolCalls.filter(({ status }) => status !== 'completed' && status !== 'failed');
  const findings = await judged(fixture, outcome, {
    'it was done although it was denied': !wasDone,
    [`the exit code is ${outcome.code}, not 5`]: outcome.code === 5,
  });
  const differs = [
    ...(outcome.frames.stopReason === 'end_turn' ? [] : [`the turn ended with ${outcome.frames.stopReason}`]),
    ...open.map((call) => `a call was left ${String(call['status'])}`),
  ];
  return { ...findings, differs };
}

async function cancel(fixture: AgentFixture): Promise<Findings> {
  let asked = 0;
  const outcome = await fixture.exec('script: hang', {
    ...approve,
    onFirstOutput: (child) => {
      asked = Date.now();
      child.kill('SIGINT');
    },
  });
  const took = `${Date.now() - asked} ms from Ctrl-C to the end`;
  const findings = await judged(fixture, outcome, {
    'the agent sent no output': asked > 0,
    ...ended(outcome, { code: 130, stopReason: 'cancelled' }),
  });
  return { ...findings, notes: [took, ...findings.notes] };
}

/** Loads a session of another process: its history is replayed, and a turn continues from there. */
async function load(fixture: AgentFixture): Promise<Findings> {
  const first = await fixture.exec('script: say remember the blue door', approve);
  const { sessionId } = first.frames;
  if (sessionId === undefined) return { notes: [], failures: [`no session to load: ${first.stderr.trim()}`] };
  const begun = await fixture.turnwire(['sessions', 'new', '--name', 'again', '--resume-session', sessionId]);
  const before = await fixture.turnwire(['sessions', 'history', 'again', '--limit', '100']);
  const words = ['--approve-all', '--format', 'json', 'prompt', '-s', 'again', 'script: say the door is open'];
  const outcome = await fixture.turnwire(words);
  const after = await fixture.turnwire(['sessions', 'history', 'again', '--limit', '100']);
  const closed = await fixture.turnwire(['sessions', 'close', 'again']);
  const asked = fixture.model.requests.findLast(({ reply }) => reply?.kind === 'text' && reply.text.includes('open'));
  const findings = await judged(fixture, outcome, {
    'the session could not be loaded': begun.code === 0,
    'nothing was replayed': before.stdout.includes('remember the blue door'),
    'the output of the next turn is missing': outcome.frames.said('agent').includes('the door is open'),
    'the replay is repeated in the turn': !outcome.frames.said('agent').includes('blue door'),
    'the agent does not remember the conversation': JSON.stringify(asked?.body ?? '').includes('the blue door'),
    'something is replayed twice': occurrences(after.stdout, 'remember the blue door') <= 2,
    [`the exit codes are ${outcome.code}, ${closed.code}`]: outcome.code === 0 && closed.code === 0,
    ...(begun.code === 0 ? {} : { [`stderr: ${begun.stderr.trim()}`]: false }),
  });
  return { ...findings, differs: waits(begun.stderr) };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The waiting messages that the user sees before the session is loaded. */
function waits(stderr: string): readonly string[] {
  return [...stderr.matchAll(/Waiting \d+ s before the session is loaded/g)].map(([line]) => line.toLowerCase());
}

async function owner(fixture: AgentFixture): Promise<Findings> {
  await fixture.turnwire(['sessions', 'new']);
  await fixture.turnwire(['--approve-all', 'prompt', 'script: say remember the red gate']);
  const owners = (await processesWith(fixture.mark)).filter(({ command }) => command.endsWith(hostCommand));
  kill(owners);
  const left = await waitUntilGone(fixture.mark, goneWithin);
  const outcome = await fixture.turnwire(['--approve-all', 'prompt', 'script: say the gate is open']);
  const history = await fixture.turnwire(['sessions', 'history', '--limit', '100']);
  const closed = await fixture.turnwire(['sessions', 'close']);
  const asked = fixture.model.requests.findLast(({ reply }) => reply?.kind === 'text' && reply.text.includes('open'));
  const findings = await judged(fixture, outcome, {
    'no owner was running': owners.length === 1,
    [`the agent outlived its owner: ${survived(left)}`]: left.length === 0,
    'the output of the next turn is missing': outcome.stdout.includes('the gate is open'),
    'the agent does not remember the conversation': JSON.stringify(asked?.body ?? '').includes('the red gate'),
    'the history is incomplete': /the red gate[^]*the gate is open/.test(history.stdout),
    'the replay is repeated in the turn': !outcome.stdout.includes('red gate'),
    'something is replayed twice': occurrences(history.stdout, 'remember the red gate') <= 2,
    [`the exit codes are ${outcome.code}, ${history.code}, ${closed.code}`]:
      outcome.code === 0 && history.code === 0 && closed.code === 0,
  });
  return { ...findings, differs: waits(outcome.stderr) };
}

async function killed(fixture: AgentFixture): Promise<Findings> {
  const outcome = await fixture.exec('script: hang', { ...approve, onFirstOutput: (child) => child.kill('SIGKILL') });
  const started = Date.now();
  const left = await waitUntilGone(fixture.mark, goneWithin);
  kill(left);
  const checks = { 'it was not killed': outcome.signal === 'SIGKILL', [survived(left)]: left.length === 0 };
  return { notes: [`all gone after ${Date.now() - started} ms`], failures: failed(checks) };
}

/** A turn in the page of `turnwire serve`: one command is allowed, and another is rejected if the agent asks. */
async function web(fixture: AgentFixture): Promise<Findings> {
  const [allowed, rejected] = ['ran.txt', 'rejected.txt'].map((name) => join(fixture.work, name)) as [string, string];
  await rm(allowed, { force: true });
  const page = await driveInBrowser(fixture, [
    { prompt: `script: run echo it ran | tee ${allowed}`, answer: 'allow' },
    { prompt: `script: run touch ${rejected}`, answer: 'reject' },
  ]);
  const [first, second] = page.turns;
  const neverAsks = fixture.known?.differences?.asking?.by === 'nothing';
  const left = await waitUntilGone(fixture.mark, goneWithin);
  kill(left);
  return {
    notes: page.turns.map(({ asked, tools }) => `asked ${asked.length}, tools ${tools.join('/')}`),
    ...(neverAsks && { differs: ['it never asks'] }),
    failures: failed({
      'the command did not run': existsSync(allowed),
      'the page does not show the result': first?.said.includes('it ran') === true,
      [`the tool calls are shown as ${first?.tools.join(', ')}`]: first?.tools.join() === 'completed',
      'the question does not show the command':
        neverAsks || second?.asked.some((each) => each.includes(rejected)) === true,
      'it was done although it was rejected': neverAsks || !existsSync(rejected),
      [`the page reports ${page.errors.join('; ')}`]: page.errors.length === 0,
      [survived(left)]: left.length === 0,
    }),
  };
}

const approve = { flags: ['--approve-all'] };

type Checks = Readonly<Record<string, boolean>>;

async function judged(fixture: AgentFixture, outcome: CommandOutcome, checks: Checks): Promise<Findings> {
  const left = await waitUntilGone(fixture.mark, 500);
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

/** Differences in the frames that a client must know about. */
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
