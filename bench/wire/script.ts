import { tmpdir } from 'node:os';
import type { InitializeRequest, InitializeResponse, PromptResponse, SessionNotification } from '@turnwire/protocol';
import type { UpdateKind } from './updates.ts';

/** The messages of both ends, the same for each contender. */
export const initializeRequest: InitializeRequest = {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  clientInfo: { name: 'bench', version: '1.0.0' },
};

export const initializeResponse: InitializeResponse = {
  protocolVersion: 1,
  agentCapabilities: { loadSession: false, promptCapabilities: { image: true, embeddedContext: true } },
  agentInfo: { name: 'bench', version: '1.0.0' },
  authMethods: [],
};

export const newSessionRequest: { readonly cwd: string; readonly mcpServers: never[] } = {
  // A gateway refuses a missing folder.
  cwd: tmpdir(),
  mcpServers: [],
};

/** A prompt that the agent answers at once. */
export const echoPrompt = 'echo';

/** A prompt for a number of updates before the answer. */
export function streamPrompt(kind: UpdateKind, count: number): string {
  return `${kind} ${count}`;
}

/** The updates that a prompt requests; none for {@link echoPrompt}. */
export function readPrompt(text: string): { readonly kind: UpdateKind; readonly count: number } | undefined {
  if (text === echoPrompt) return undefined;
  const [kind, count] = text.split(' ');
  return { kind: kind as UpdateKind, count: Number(count) };
}

/** The answer to a prompt for updates, with the processor time the agent has used so far, in microseconds. */
export function streamedAnswer(): PromptResponse {
  const { user, system } = process.cpuUsage();
  return { stopReason: 'end_turn', _meta: { cpu: user + system } };
}

/** Sends an update of a session. */
export type SendUpdate = (params: SessionNotification) => unknown;

let sessions = 0;
/** Senders of updates for the sessions of this process, in the order of their creation; kept only if a case needs them. */
let reached: Map<string, SendUpdate> | undefined;

/** Keeps the senders of updates for all sessions that are created after this call. */
export function reachSessions(): ReadonlyMap<string, SendUpdate> {
  return (reached ??= new Map());
}

/** Creates a session. @returns its id; all ids have the same length */
export function openSession(send: SendUpdate): string {
  const id = `sess_${String(++sessions).padStart(7, '0')}`;
  reached?.set(id, send);
  return id;
}
