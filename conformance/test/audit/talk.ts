import type { Subject } from '../../src/requirements/requirement.ts';
import { Journal } from '../../src/wire/journal.ts';
import type { JournalEntry } from '../../src/wire/messages.ts';

/** A line of a scripted connection. */
export interface ScriptedLine {
  readonly from: Subject;
  readonly text: string;
  readonly flaw?: JournalEntry['flaw'];
  /** Milliseconds before it. Default 1. */
  readonly after?: number;
}

type Value = { readonly [key: string]: unknown };

function message(from: Subject, content: Value): ScriptedLine {
  return { from, text: JSON.stringify({ jsonrpc: '2.0', ...content }) };
}

/** Any line. */
export function line(from: Subject, text: string, flaw?: JournalEntry['flaw']): ScriptedLine {
  return { from, text, ...(flaw !== undefined && { flaw }) };
}

/** A request of the client. */
export function ask(id: unknown, method: string, params: Value = {}): ScriptedLine {
  return message('client', { id, method, params });
}

/** The agent's answer. */
export function reply(id: unknown, result: unknown = {}): ScriptedLine {
  return message('agent', { id, result });
}

export function refuse(id: unknown, code = -32_603, text = 'It does not work.'): ScriptedLine {
  return message('agent', { id, error: { code, message: text } });
}

/** A notification of the client. */
export function notify(method: string, params: Value = {}): ScriptedLine {
  return message('client', { method, params });
}

/** A request of the agent. */
export function demand(id: unknown, method: string, params: Value = {}): ScriptedLine {
  return message('agent', { id, method, params: { sessionId: 's1', ...params } });
}

/** The client's answer. */
export function grant(id: unknown, result: unknown = {}): ScriptedLine {
  return message('client', { id, result });
}

export function deny(id: unknown, code = -32_603, text = 'It does not work.'): ScriptedLine {
  return message('client', { id, error: { code, message: text } });
}

/** A notification of the agent. */
export function announce(method: string, params: Value = {}): ScriptedLine {
  return message('agent', { method, params });
}

export function update(kind: string, content: Value = {}, sessionId = 's1'): ScriptedLine {
  return announce('session/update', { sessionId, update: { sessionUpdate: kind, ...content } });
}

export function chunk(text = 'hello'): ScriptedLine {
  return update('agent_message_chunk', { content: { type: 'text', text } });
}

/** Every capability of an agent. */
export const everything: Value = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
  auth: { logout: {} },
};

/** Every capability of a client. */
export const allOfAClient: Value = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

/** How both sides introduce themselves. */
export interface Introductions {
  readonly client?: Value;
  readonly agent?: Value;
  /** Fields of the answer to `initialize`. */
  readonly answer?: Value;
  /** Fields of the answer to `session/new`. */
  readonly session?: Value;
}

/** The handshake. */
export function hello({
  client = allOfAClient,
  agent = everything,
  answer,
}: Introductions = {}): readonly ScriptedLine[] {
  const info = { name: 'x', version: '1' };
  return [
    ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: client, clientInfo: info }),
    reply(0, { protocolVersion: 1, agentCapabilities: agent, agentInfo: info, ...answer }),
  ];
}

/** The handshake, and the session `s1`. */
export function opened(introductions: Introductions = {}): readonly ScriptedLine[] {
  return [
    ...hello(introductions),
    ask(1, 'session/new', { cwd: '/p', mcpServers: [] }),
    reply(1, { sessionId: 's1', ...introductions.session }),
  ];
}

/** A turn of `s1` with the given frames in it. */
export function turn(
  during: readonly ScriptedLine[] = [chunk()],
  stopReason = 'end_turn',
  id = 2,
): readonly ScriptedLine[] {
  const prompt = [{ type: 'text', text: 'go' }];
  return [ask(id, 'session/prompt', { sessionId: 's1', prompt }), ...during, reply(id, { stopReason })];
}

/** The journal of the connection. */
export function journalOf(lines: readonly ScriptedLine[]): readonly JournalEntry[] {
  const journal = new Journal();
  let now = 0;
  return lines.map(({ from, text, flaw, after = 1 }) => ({ ...journal.add(from, text, flaw), at: (now += after) }));
}
