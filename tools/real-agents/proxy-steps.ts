import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { drive, type Driven, output, type Update } from '../../apps/coder/test/official-v2-driver.ts';
import type { AgentFixture } from './agent-fixture.ts';
import { kill, waitUntilGone } from './processes.ts';
import type { Findings, Step } from './steps.ts';

/** Steps of the client of version 2 of the official SDK, with the agent behind `turnwire proxy`. */
export const proxySteps: readonly Step[] = [
  { name: 'write', run: write },
  { name: 'run', run: run },
  { name: 'deny', run: deny },
  { name: 'cancel', run: cancel },
  { name: 'load', run: load },
];

/** How long a step may take, in milliseconds. */
const longest = 120_000;

type Checks = Readonly<Record<string, boolean>>;
type Answer = 'allow_once' | 'reject_once';

/** Drives a new `turnwire proxy`. A failure of a step shows the updates. */
async function through(
  fixture: AgentFixture,
  work: (driven: Driven, sessionId: string) => Promise<Checks>,
  { answer = 'allow_once', isOpen = false }: { readonly answer?: Answer; readonly isOpen?: boolean } = {},
): Promise<Findings> {
  const notes: string[] = [];
  const failures: string[] = [];
  await drive({ ...fixture.command(['proxy']), answer }, async (driven) => {
    const { call, updates, asked } = driven;
    const created = isOpen
      ? {}
      : ((await call('session/new', { cwd: fixture.work })) as { readonly sessionId?: string });
    const overdue = delay(longest, undefined, { ref: false }).then(() => {
      throw new Error(
        `the step is not over after ${longest / 1_000} s; the last update: ${JSON.stringify(updates.at(-1))}`,
      );
    });
    const checks = await Promise.race([work(driven, created.sessionId ?? ''), overdue]);
    failures.push(...Object.entries(checks).flatMap(([failure, isFine]) => (isFine ? [] : [failure])));
    notes.push(...asked.map((title) => `asked ${title.slice(0, 40)}`), ...kindsOf(updates));
    fixture.heard(updates.map((update) => `${JSON.stringify(update)}\n`).join(''));
  });
  const left = await waitUntilGone(fixture.mark, 10_000);
  kill(left);
  if (left.length > 0) failures.push(`survivors: ${left.map(({ command }) => command.slice(0, 120)).join('; ')}`);
  return { notes, failures };
}

function kindsOf(updates: readonly Update[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { sessionUpdate } of updates) counts.set(sessionUpdate, (counts.get(sessionUpdate) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${kind} ${count}`);
}

/** The last reported status of each tool call. */
function statuses(updates: readonly Update[]): readonly unknown[] {
  const calls = new Map<unknown, unknown>();
  for (const { sessionUpdate, toolCallId, status } of updates)
    if (sessionUpdate === 'tool_call_update') calls.set(toolCallId, status ?? calls.get(toolCallId));
  return [...calls.values()];
}

/** All text of the agent. */
function said(updates: readonly Update[]): string {
  const texts = updates.flatMap(({ sessionUpdate, content }) =>
    sessionUpdate.startsWith('agent_message') ? [content].flat() : [],
  );
  return texts.map((block) => (block as { readonly text?: string }).text ?? '').join('');
}

/** The states must begin with running and end with idle. */
function ended(updates: readonly Update[], stopReason: unknown, wanted: string): Checks {
  const states = updates.flatMap(({ state }) => (typeof state === 'string' ? [state] : []));
  return {
    [`the stop reason is ${String(stopReason)}, not ${wanted}`]: stopReason === wanted,
    [`the states are ${states.join(' ')}`]: states[0] === 'running' && states.at(-1) === 'idle',
  };
}

function write(fixture: AgentFixture): Promise<Findings> {
  const file = join(fixture.work, 'written.txt');
  return through(fixture, async ({ turn, updates }, sessionId) => {
    const stopReason = await turn(sessionId, `script: write ${file} written by the agent`);
    const content = existsSync(file) ? await readFile(file, 'utf8') : undefined;
    return {
      [`the file contains ${JSON.stringify(content)}`]: content?.trim() === 'written by the agent',
      [`the tool calls ended as ${statuses(updates).join()}`]: statuses(updates).every((each) => each === 'completed'),
      ...ended(updates, stopReason, 'end_turn'),
    };
  });
}

function run(fixture: AgentFixture): Promise<Findings> {
  const file = join(fixture.work, 'ran.txt');
  return through(fixture, async ({ turn, updates }, sessionId) => {
    const stopReason = await turn(sessionId, `script: run echo it ran | tee ${file}`);
    const shown = `${output(updates)}${JSON.stringify(updates)}`;
    return {
      'the command did not run': existsSync(file),
      'the client does not show the output': shown.includes('it ran'),
      'the model did not receive the output': said(updates).includes('it ran'),
      [`the tool calls ended as ${statuses(updates).join()}`]: statuses(updates).every((each) => each === 'completed'),
      ...ended(updates, stopReason, 'end_turn'),
    };
  });
}

function deny(fixture: AgentFixture): Promise<Findings> {
  const file = join(fixture.work, 'denied.txt');
  const neverAsks = fixture.known?.differences?.asking?.by === 'nothing';
  return through(
    fixture,
    async ({ turn, updates, asked }, sessionId) => {
      const stopReason = await turn(sessionId, `script: run touch ${file}`);
      return {
        'it was done although it was denied': neverAsks || !existsSync(file),
        'the client was not asked': neverAsks || asked.length > 0,
        [`a tool call is left open: ${statuses(updates).join()}`]: statuses(updates).every((each) =>
          ['completed', 'failed', 'cancelled'].includes(String(each)),
        ),
        [`the turn ended with ${String(stopReason)}`]: ['end_turn', 'cancelled'].includes(String(stopReason)),
      };
    },
    { answer: 'reject_once' },
  );
}

function cancel(fixture: AgentFixture): Promise<Findings> {
  return through(fixture, async ({ turn, notify, updates, until }, sessionId) => {
    const end = turn(sessionId, 'script: hang');
    await until(() => said(updates).includes('working'));
    await notify('session/cancel', { sessionId });
    return ended(updates, await end, 'cancelled');
  });
}

async function load(fixture: AgentFixture): Promise<Findings> {
  let sessionId = '';
  const first = await through(fixture, async ({ turn, updates }, created) => {
    sessionId = created;
    return ended(updates, await turn(created, 'script: say remember the blue door'), 'end_turn');
  });
  const second = await through(
    fixture,
    async ({ call, turn, updates, until }) => {
      const answer = await call('session/resume', { sessionId, cwd: fixture.work, replayFrom: { type: 'start' } });
      await until(() => updates.at(-1)?.['state'] === 'idle');
      const replay = [...updates];
      const stopReason = await turn(sessionId, 'script: say the door is open');
      const asked = fixture.model.requests.findLast(
        ({ reply }) => reply?.kind === 'text' && reply.text.includes('open'),
      );
      // Some agents repeat the prompt in the title of the session.
      const messages = JSON.stringify(replay.filter(({ sessionUpdate }) => sessionUpdate !== 'session_info_update'));
      return {
        'the session was not resumed': typeof answer === 'object',
        'the replay has no end': replay.some(({ sessionUpdate }) => sessionUpdate === 'replay_complete'),
        'something is missing in the replay, or there twice': messages.split('remember the blue door').length === 3,
        'the agent does not remember the conversation': JSON.stringify(asked?.body ?? '').includes('the blue door'),
        [`the second turn ended with ${String(stopReason)}`]: stopReason === 'end_turn',
      };
    },
    { isOpen: true },
  );
  return { notes: [...first.notes, '|', ...second.notes], failures: [...first.failures, ...second.failures] };
}
