import { type Json, textOf } from './model/format.ts';

/** What a list of protocol frames tells about a turn. Nothing is checked: the frames are what the agent and the client wrote. */
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

  /** Every request or notification with this method. */
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
    return result(this.answers('initialize')[0])?.['agentInfo'] as Json | undefined;
  }

  get stopReason(): string | undefined {
    return result(this.answers('session/prompt').at(-1))?.['stopReason'] as string | undefined;
  }

  get updates(): readonly Json[] {
    return this.calls('session/update').map(({ params }) => (params as Json)['update'] as Json);
  }

  /** What was said by the agent, or by the user in a replay. */
  said(kind: 'agent' | 'user'): string {
    const chunks = this.updates.filter(({ sessionUpdate }) => sessionUpdate === `${kind}_message_chunk`);
    return chunks.map(({ content }) => textOf([content])).join('');
  }

  /** The tool calls as they were at the end, by id. */
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

  /** The methods of all requests and notifications, each once, except those every turn has. */
  get methods(): readonly string[] {
    const usual = /^(initialize|session\/(new|prompt|update|cancel|load))$/;
    const names = this.#all.flatMap(({ method }) => (typeof method === 'string' ? [method] : []));
    return [...new Set(names)].filter((name) => !usual.test(name));
  }
}

function result(answer: Json | undefined): Json | undefined {
  return answer?.['result'] as Json | undefined;
}
