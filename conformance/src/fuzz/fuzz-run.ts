import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSubject } from '../agent/agent-subject.ts';
import { playHost } from '../agent/host/play-host.ts';
import { asMessage, isAnswerTo, type JournalEntry } from '../wire/messages.ts';
import { Wire } from '../wire/wire.ts';
import { type Asked, askedBy, type FuzzStep } from './fuzz-step.ts';
import { type FuzzFault, faultIn } from './fuzz-fault.ts';

/** The result of one sequence. */
export interface FuzzRun {
  readonly journal: readonly JournalEntry[];
  readonly fault: FuzzFault | undefined;
}

/** Milliseconds of a step that waits. */
const between = 100;

/** Runs a sequence against a fresh instance of an agent, in its own folder, and checks the result. */
export async function fuzzRun(subject: AgentSubject, steps: readonly FuzzStep[], patience: number): Promise<FuzzRun> {
  const sandbox = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-fuzz-')));
  const folder = join(sandbox, 'project');
  await mkdir(folder);
  try {
    return await runIn({ sandbox, folder }, { subject, steps, patience });
  } finally {
    await rm(sandbox, { recursive: true, force: true });
  }
}

interface Planned {
  readonly subject: AgentSubject;
  readonly steps: readonly FuzzStep[];
  readonly patience: number;
}

async function runIn(
  { sandbox, folder }: { readonly sandbox: string; readonly folder: string },
  { subject, steps, patience }: Planned,
): Promise<FuzzRun> {
  const wire = new Wire(await subject.open({ cwd: sandbox }), { plays: 'client', patience });
  const host = playHost(wire, { capabilities: {}, folder });
  try {
    const asked = await sent(wire, steps, folder);
    return { fault: await faultIn(wire, asked, patience), journal: [...wire.journal] };
  } finally {
    // A turn may still be running: its end is not awaited.
    wire.line.process?.kill('SIGKILL');
    await wire.close();
    await host.close();
  }
}

/** Sends everything, and then cancels the running turns. */
async function sent(wire: Wire, steps: readonly FuzzStep[], folder: string): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const step of steps) {
    if (wire.hasEnded) break;
    if ('wait' in step) await wire.quiet(between);
    else asked.push(askedBy(wire.sendText(await filled(step.line, { wire, asked, folder }))));
  }
  for (const sessionId of sessionsOf(wire, asked)) wire.notify('session/cancel', { sessionId });
  return asked;
}

interface FuzzContext {
  readonly wire: Wire;
  readonly asked: readonly Asked[];
  readonly folder: string;
}

async function filled(line: string, { wire, asked, folder }: FuzzContext): Promise<string> {
  const numbered = line.replaceAll('"{id}"', String(1000 + asked.length)).replaceAll('{folder}', escaped(folder));
  if (!numbered.includes('{session}')) return numbered;
  await setUp(wire, asked);
  const session = sessionsOf(wire, asked).at(-1);
  return session === undefined ? numbered : numbered.replaceAll('{session}', escaped(session));
}

/** Waits for the last requested session, which the next lines use. */
async function setUp(wire: Wire, asked: readonly Asked[]): Promise<void> {
  const last = asked.findLast(({ method, isOwed }) => method === 'session/new' && isOwed);
  if (last?.id === undefined) return;
  const id: unknown = JSON.parse(last.id);
  await wire.next((message) => isAnswerTo(id, message));
}

/** The created sessions, in order. */
function sessionsOf(wire: Wire, asked: readonly Asked[]): readonly string[] {
  const wanted = new Set(asked.flatMap(({ id, method }) => (method === 'session/new' ? [id] : [])));
  return wire.received().flatMap(({ message }) => {
    const id = asMessage(message['result'])?.['sessionId'];
    return typeof id === 'string' && wanted.has(JSON.stringify(message['id'])) ? [id] : [];
  });
}

/** A text in the form it has inside a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
