import type { InitializeRequest, InitializeResponse, PromptResponse } from '@turnwire/protocol';
import type { UpdateKind } from './updates.ts';

/** What both ends say, whoever says it. */
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
  cwd: '/home/user/project',
  mcpServers: [],
};

/** A prompt that is answered at once. */
export const echoPrompt = 'echo';

/** A prompt for so many updates before the answer. */
export function streamPrompt(kind: UpdateKind, count: number): string {
  return `${kind} ${count}`;
}

/** What a prompt asks for; nothing but the answer if it is {@link echoPrompt}. */
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

let sessions = 0;

/** Session ids of one length. */
export function nextSessionId(): string {
  return `sess_${String(++sessions).padStart(7, '0')}`;
}
