import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSubject } from '../agent/agent-subject.ts';
import { simulateHost } from '../agent/host/simulate-host.ts';
import { asMessage, isAnswerTo, type JournalEntry } from '../wire/messages.ts';
import { Wire } from '../wire/wire.ts';
import { type SentLine, sentLine, type FuzzStep } from './fuzz-step.ts';
import { type FuzzFault, faultIn } from './fuzz-fault.ts';

/** Milliseconds of a step that waits. */
const between = 100;

/** Runs a sequence against a fresh instance of an agent in a new folder, and checks the result. */
export async function fuzzRun(
  subject: AgentSubject,
  steps: readonly FuzzStep[],
  timeout: number,
): Promise<{ readonly journal: readonly JournalEntry[]; readonly fault: FuzzFault | undefined }> {
  const sandbox = await realpath(await mkdtemp(join(subject.sessionsIn ?? tmpdir(), 'turnwire-fuzz-')));
  const folder = join(sandbox, 'project');
  await mkdir(folder);
  try {
    const wire = new Wire(await subject.open({ cwd: sandbox }), { plays: 'client', timeout });
    const host = simulateHost(wire, { capabilities: {}, folder });
    try {
      const asked = await sendAll(wire, steps, folder);
      return { fault: await faultIn(wire, asked, timeout), journal: [...wire.journal] };
    } finally {
      // A turn may still be running; there is no need to wait for its end.
      wire.line.process?.kill('SIGKILL');
      await wire.close();
      await host.close();
    }
  } finally {
    await rm(sandbox, { recursive: true, force: true });
  }
}

/** Sends all steps, and then cancels the running turns. */
async function sendAll(wire: Wire, steps: readonly FuzzStep[], folder: string): Promise<readonly SentLine[]> {
  const asked: SentLine[] = [];
  for (const step of steps) {
    if (wire.hasEnded) break;
    if ('wait' in step) await wire.quiet(between);
    else asked.push(sentLine(wire.sendText(await filled(step.line, { wire, asked, folder }))));
  }
  for (const sessionId of sessionsOf(wire, asked)) wire.notify('session/cancel', { sessionId });
  return asked;
}

/** Fills in the placeholders of a line: the last requested session, after waiting for it, the folder, and a number. */
async function filled(
  line: string,
  { wire, asked, folder }: { readonly wire: Wire; readonly asked: readonly SentLine[]; readonly folder: string },
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

/** The ids of the sessions that were created, in order. */
function sessionsOf(wire: Wire, asked: readonly SentLine[]): readonly string[] {
  const wanted = new Set(asked.flatMap(({ id, method }) => (method === 'session/new' ? [id] : [])));
  return wire.received().flatMap(({ message }) => {
    const id = asMessage(message['result'])?.['sessionId'];
    return typeof id === 'string' && wanted.has(JSON.stringify(message['id'])) ? [id] : [];
  });
}

/** A text as it appears inside a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
