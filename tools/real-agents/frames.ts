import { type Json, textOf } from './model/format.ts';

/** Queries over the protocol frames of a turn. Nothing is validated: the frames are what the agent and the client sent. */
export class Frames {
  readonly #all: readonly Json[];

  constructor(lines: readonly string[]) {
    this.#all = lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as Json];
      } catch {
        return [];
      }
    });
  }

  /** All requests and notifications with this method. */
  calls(method: string): readonly Json[] {
    return this.#all.filter((frame) => frame['method'] === method);
  }

  /** The results and errors of a method, in the order of the requests. */
  answers(method: string): readonly Json[] {
    const ids = this.calls(method).map(({ id }) => id);
    return this.#all.filter((frame) => frame['method'] === undefined && ids.includes(frame['id']));
  }

  get sessionId(): string | undefined {
    return result(this.answers('session/new')[0])?.['sessionId'] as string | undefined;
  }

  get agentInfo(): Json | undefined {
    const introduction = result(this.answers('initialize')[0]);
    return (introduction?.['agentInfo'] ?? introduction?.['info']) as Json | undefined;
  }

  /** Of the last turn. In version 2 the idle state has it, unless the agent does not report why the turn ended. */
  get stopReason(): string | undefined {
    const answered = result(this.answers('session/prompt').at(-1))?.['stopReason'];
    const idle = this.updates.findLast(({ state }) => state === 'idle');
    return (answered ?? idle?.['stopReason']) as string | undefined;
  }

  get updates(): readonly Json[] {
    return this.calls('session/update').map(({ params }) => (params as Json)['update'] as Json);
  }

  /** The text of the agent, or of the user in a replay. */
  said(kind: 'agent' | 'user'): string {
    const chunks = this.updates.filter(({ sessionUpdate }) => sessionUpdate === `${kind}_message_chunk`);
    return chunks.map(({ content }) => textOf([content])).join('');
  }

  /** The final tool calls by id. */
  get toolCalls(): readonly Json[] {
    const calls = new Map<unknown, Json>();
    for (const { sessionUpdate, ...update } of this.updates) {
      if (sessionUpdate !== 'tool_call' && sessionUpdate !== 'tool_call_update') continue;
      const id = update['toolCallId'];
      const changes = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
      calls.set(id, { ...calls.get(id), ...Object.fromEntries(changes) });
    }
    return [...calls.values()];
  }

  /** The distinct methods of all requests and notifications, except those of every turn. */
  get methods(): readonly string[] {
    const usual = /^(initialize|session\/(new|prompt|update|cancel|load))$/;
    const names = this.#all.flatMap(({ method }) => (typeof method === 'string' ? [method] : []));
    return [...new Set(names)].filter((name) => !usual.test(name));
  }
}

function result(answer: Json | undefined): Json | undefined {
  return answer?.['result'] as Json | undefined;
}
