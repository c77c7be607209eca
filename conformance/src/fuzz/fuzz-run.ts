import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSubject } from '../agent/agent-subject.ts';
import { playHost } from '../agent/host/play-host.ts';
import { asMessage, isAnswerTo, type JournalEntry } from '../wire/messages.ts';
import { Wire } from '../wire/wire.ts';
import { type Asked, askedBy, type FuzzStep } from './fuzz-step.ts';
import { type FuzzFault, faultIn } from './fuzz-fault.ts';

/** Milliseconds of a step that waits. */
const between = 100;

/** Runs a sequence against a fresh instance of an agent, in its own folder, and checks the result. */
export async function fuzzRun(
  subject: AgentSubject,
  steps: readonly FuzzStep[],
  patience: number,
): Promise<{ readonly journal: readonly JournalEntry[]; readonly fault: FuzzFault | undefined }> {
  const sandbox = await realpath(await mkdtemp(join(subject.sessionsIn ?? tmpdir(), 'turnwire-fuzz-')));
  const folder = join(sandbox, 'project');
  await mkdir(folder);
  try {
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
  } finally {
    await rm(sandbox, { recursive: true, force: true });
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

/** A line whose placeholders stand for the last requested session, which is waited for, for the folder and for a number. */
async function filled(
  line: string,
  { wire, asked, folder }: { readonly wire: Wire; readonly asked: readonly Asked[]; readonly folder: string },
): Promise<string> {
  const numbered = line.replaceAll('"{id}"', String(1000 + asked.length)).replaceAll('{folder}', escaped(folder));
  if (!numbered.includes('{session}')) return numbered;
  const last = asked.findLast(({ method, isOwed }) => method === 'session/new' && isOwed);
  if (last?.id !== undefined) {
    const id: unknown = JSON.parse(last.id);
    await wire.next((message) => isAnswerTo(id, message));
  }
  const session = sessionsOf(wire, asked).at(-1);
  return session === undefined ? numbered : numbered.replaceAll('{session}', escaped(session));
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
