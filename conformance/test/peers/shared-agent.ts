import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import type { Line, LineReceiver } from '../../src/wire/line.ts';
import { asMessage, at, type RawMessage } from '../../src/wire/messages.ts';

interface SharedSession {
  readonly id: string;
  readonly log: RawMessage[];
  readonly members: Map<Member, 'control' | 'observe'>;
}

/** An agent whose sessions any number of clients share. It says words, and creates files with permission. */
export function sharedAgent(): AgentSubject {
  const sessions = new Map<string, SharedSession>();
  return { name: 'shared', open: () => Promise.resolve(new Member(sessions).line) };
}

/** A connected client. */
class Member {
  readonly line: Line;
  readonly #sessions: Map<string, SharedSession>;
  readonly #answers = new Map<unknown, (message: RawMessage) => void>();
  #receiver: LineReceiver | undefined;

  constructor(sessions: Map<string, SharedSession>) {
    this.#sessions = sessions;
    this.line = {
      start: (receiver) => void (this.#receiver = receiver),
      send: (text) => void setImmediate(() => void this.#hear(JSON.parse(text) as RawMessage)),
      close: async () => {
        for (const { members } of sessions.values()) members.delete(this);
      },
    };
  }

  say(message: RawMessage): void {
    this.#receiver?.text(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Asks for permission, and resolves with the answer. */
  ask(id: string, params: RawMessage): Promise<RawMessage> {
    this.say({ id, method: 'session/request_permission', params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  async #hear(message: RawMessage): Promise<void> {
    const { id, method } = message;
    if (method === undefined) return this.#answers.get(id)?.(message);
    if (id === undefined) return;
    const params = asMessage(message['params']) ?? {};
    const session = this.#sessions.get(String(params['sessionId']));
    if (method === 'initialize') this.say({ id, result: introduction });
    else if (method === 'session/new') this.say({ id, result: { sessionId: this.#begin().id } });
    else if (session === undefined) this.say({ id, error: { code: -32_602, message: 'there is no such session' } });
    else if (method === 'session/load' || method === 'session/resume') this.#join(session, id, params);
    else if (session.members.get(this) !== 'control')
      this.say({ id, error: { code: -32_602, message: 'this client only watches' } });
    else this.say({ id, result: await promptIn(session, String(at(params, 'prompt', 0, 'text'))) });
  }

  #begin(): SharedSession {
    const session: SharedSession = { id: randomUUID(), log: [], members: new Map([[this, 'control']]) };
    this.#sessions.set(session.id, session);
    return session;
  }

  #join(session: SharedSession, id: unknown, params: RawMessage): void {
    const { after, role } = asMessage(at(params, '_meta', 'turnwire')) ?? {};
    for (const update of after === undefined ? [] : session.log.slice(Number(after)))
      this.say({ method: 'session/update', params: update });
    session.members.set(this, role === 'observe' ? 'observe' : 'control');
    this.say({ id, result: {} });
  }
}

const introduction = {
  protocolVersion: 1,
  agentInfo: { name: 'shared', version: '1.0.0' },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: {},
    mcpCapabilities: {},
    auth: {},
    sessionCapabilities: { resume: {} },
    _meta: { turnwire: { cursors: true, roles: ['control', 'observe'] } },
  },
};

async function promptIn(session: SharedSession, text: string): Promise<RawMessage> {
  const [, word] = /^say "(.*)"/.exec(text) ?? [];
  const [, path] = /^create (\S+) with/.exec(text) ?? [];
  if (word !== undefined)
    show(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: word } });
  if (path !== undefined && (await isPermitted(session, path))) await writeFile(path, 'quince');
  return { stopReason: 'end_turn' };
}

function show({ id: sessionId, log, members }: SharedSession, update: RawMessage): void {
  const params = { sessionId, update, _meta: { turnwire: { cursor: String(log.length + 1) } } };
  log.push(params);
  for (const member of members.keys()) member.say({ method: 'session/update', params });
}

/** Asks every client that may control the session. The first answer counts. */
async function isPermitted(session: SharedSession, path: string): Promise<boolean> {
  const toolCallId = randomUUID();
  show(session, { sessionUpdate: 'tool_call', toolCallId, title: path, kind: 'edit', status: 'pending' });
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const params = { sessionId: session.id, toolCall: { toolCallId }, options };
  const asked = [...session.members].flatMap(([member, role]) => (role === 'control' ? [member] : []));
  const answers = asked.map(async (member, nth) => ({ nth, answer: await member.ask(`${toolCallId}-${nth}`, params) }));
  const first = await Promise.race(answers);
  for (const [nth, member] of asked.entries())
    if (nth !== first.nth) member.say({ method: '$/cancel_request', params: { requestId: `${toolCallId}-${nth}` } });
  for (const status of ['in_progress', 'completed'])
    show(session, { sessionUpdate: 'tool_call_update', toolCallId, status });
  return at(first.answer, 'result', 'outcome', 'optionId') === 'yes';
}
