import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, Timeouts } from '@turnwire/client';
import { launchAgent, type LaunchOptions, localFiles, localTerminals } from '@turnwire/client/node';
import { createPermissions, hostActionOf, type Permissions, type PermissionsOptions } from '@turnwire/permissions';
import {
  emptyTranscript,
  reduce,
  type TranscriptEntry,
  type TranscriptEvent,
  type TranscriptView,
} from '@turnwire/client/transcript';
import { isFrame } from '@turnwire/trace';
import { readTrace, traceWriter } from '@turnwire/trace/node';
import { onTestFinished } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { type DrivenOptions, DrivenSession } from '../driven-session.ts';
import { faulty } from './faulty-command.ts';
import { processesWith } from './processes.ts';

/** Limits that a test can wait for. */
const moment = within(750);
const shortly: Partial<Timeouts> = {
  newSession: moment,
  loadSession: moment,
  closeSession: moment,
  listSessions: moment,
  deleteSession: moment,
  set: moment,
  cancel: moment,
  exit: moment,
};

/** A folder with `notes.txt` in it, gone when the test is over. */
export async function project(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-faults-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  await writeFile(join(folder, 'notes.txt'), 'alpha\n');
  return folder;
}

/** A faulty agent by itself, closed when the test is over. */
export async function launchFaulty(faults: readonly string[], options: LaunchOptions = {}): Promise<Agent> {
  const agent = await launchAgent(faulty(...faults), { timeouts: shortly, peer: quickly, ...options });
  onTestFinished(async () => void (await agent.close()));
  return agent;
}

/** How long an agent may take to take back a request it has not answered. */
const quickly: LaunchOptions['peer'] = { limits: { cancel: 100 } };

/** A conversation with everything a client has: files, terminals, permissions, a history and a trace. */
export interface Fixture {
  readonly conversation: DrivenSession;
  readonly permissions: Permissions;
  /** What a history would hold. */
  readonly events: readonly TranscriptEvent[];
  /** What the connection had to say about bad frames: how often which. */
  readonly warnings: ReadonlyMap<string, number>;
  /** Processes of the agent and its terminals. */
  processes(): readonly string[];
  /** Closes everything and resolves with how many frames the trace holds. */
  close(): Promise<number>;
}

/** How a fixture differs from the usual one. */
export interface FixtureOptions {
  readonly cwd: string;
  readonly faults?: readonly string[];
  readonly launch?: LaunchOptions;
  readonly conversation?: Partial<DrivenOptions>;
  readonly permissions?: Partial<PermissionsOptions>;
}

/** Opens a fixture; it is closed when the test is over, if it was not before. */
export function fixture({ cwd, faults = [], launch, conversation: more, permissions: rules }: FixtureOptions): Fixture {
  const mark = randomUUID();
  const warnings = new Map<string, number>();
  const events: TranscriptEvent[] = [];
  const terminals = localTerminals();
  const permissions = createPermissions({ project: cwd, mode: 'bypassPermissions', ...rules });
  const trace = traceWriter({ path: join(cwd, 'trace.jsonl') });
  const conversation = new DrivenSession({
    start: (signal) =>
      launchAgent(faulty(`mark=${mark}`, ...faults), {
        signal,
        timeouts: shortly,
        host: { files: localFiles(), terminals },
        hostGate: (call) => permissions.allowHostCall(hostActionOf(call), call.signal),
        permission: permissions.policy,
        tap: trace.tap,
        peer: { ...quickly, log: ({ level, event }) => level !== 'debug' && count(warnings, event) },
        ...launch,
      }),
    cwd,
    permissions,
    terminals,
    onEvent: (event) => void events.push(event),
    ...more,
  });
  const close = async (): Promise<number> => {
    await conversation.close();
    await trace.close();
    return framesIn(join(cwd, 'trace.jsonl'));
  };
  onTestFinished(async () => void (await close()));
  return { conversation, permissions, events, warnings, processes: () => processesWith(mark), close };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

async function framesIn(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  const { events, problems } = await readTrace(path);
  if (problems.length > 0) throw new Error(`the trace is broken: ${JSON.stringify(problems)}`);
  return events.filter(isFrame).length;
}

/** Resolves when something is so. */
export async function until(conversation: DrivenSession, isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const stop = conversation.onChange(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

/** What a user would see: a line for each entry. */
export function lines(transcript: TranscriptView): readonly string[] {
  return [...transcript.entries].map(line);
}

function line(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'user':
    case 'agent':
    case 'thought':
      return `${entry.type}: ${entry.content.map((block) => ('text' in block ? block.text : block.type)).join('')}`;
    case 'tool-call':
      return `tool ${entry.toolCallId}: ${entry.state}`;
    case 'boundary':
      return `--- ${entry.reason}`;
    case 'turn-end':
      return entry.error === undefined ? `(${entry.stopReason})` : '(failed)';
    case 'notice':
      return `! ${entry.title}`;
    default:
      return entry.type;
  }
}

/** The same from the events alone, as a history brings it back. */
export function linesOfHistory(events: readonly TranscriptEvent[]): readonly string[] {
  return lines(
    events.map((event) => JSON.parse(JSON.stringify(event)) as TranscriptEvent).reduce(reduce, emptyTranscript()),
  );
}

/** The code of what a promise rejects with; a word if it does not. */
export async function codeOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}
