import { asMessage, at, type RawMessage } from '../../../src/wire/messages.ts';
import type { ClientMutant } from '../client-mutant.ts';

export type ClientDefect = NonNullable<ClientMutant['defect']>;

/** Changes the messages of the agent; undefined drops one. */
export function receives(change: (message: RawMessage) => RawMessage | undefined): ClientDefect {
  return () => ({
    hears: (message) => {
      const changed = change(message);
      return changed === undefined ? [] : [changed];
    },
  });
}

/** Makes the client believe that its agent has these capabilities of sessions. */
export function believesIn(session: RawMessage): ClientDefect {
  return receives((message) => {
    const { result } = message;
    return at(result, 'protocolVersion') === undefined
      ? message
      : { ...message, result: { ...asMessage(result), capabilities: { session } } };
  });
}

/** Answers a request of the agent itself, in place of the client. */
export function answersItself(fits: (message: RawMessage) => boolean, answer: RawMessage): ClientDefect {
  return ({ toKit }) => ({
    hears: (message) => {
      if (!fits(message)) return [message];
      toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...answer }));
      return [];
    },
  });
}

export const isAbout = (part: string): ((message: RawMessage) => boolean) => {
  return (message) => message['method'] !== undefined && JSON.stringify(message).includes(part);
};

/** Takes the next answer after a line with a text for an error. */
export function failsAfter(part: string): ClientDefect {
  return () => {
    let isNext = false;
    return {
      hears: (message) => {
        isNext ||= JSON.stringify(message).includes(part);
        if (!isNext || message['result'] === undefined) return [message];
        return [{ jsonrpc: '2.0', id: message['id'] ?? null, error: { code: -32_603, message: 'not understood' } }];
      },
    };
  };
}

export const stateOf = (message: RawMessage): unknown => at(message, 'params', 'update', 'state');

/** Takes a state for the end of the turn, whatever was echoed and answered before. */
export function endsAt(state: string): ClientDefect {
  return () => {
    let prompt: RawMessage | undefined;
    let prompts = 0;
    return {
      says: (message) => {
        if (message['method'] !== 'session/prompt') return [message];
        prompt = message;
        prompts++;
        return [message];
      },
      hears: (message) => {
        if (prompt === undefined || stateOf(message) !== state) return [message];
        const { id, params } = prompt;
        prompt = undefined;
        const messageId = `prompt-${String(prompts)}`;
        const update = (fields: RawMessage): RawMessage => ({
          ...{ jsonrpc: '2.0', method: 'session/update' },
          params: { sessionId: at(params, 'sessionId'), update: fields },
        });
        return [
          update({ sessionUpdate: 'user_message', messageId, content: [] }),
          { jsonrpc: '2.0', id, result: { messageId } },
          update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
        ];
      },
    };
  };
}

/** Calls a method for each update with a text. */
export function callsAt(part: string, method: string, id: RawMessage): ClientDefect {
  return ({ toKit }) => ({
    hears: (message) => {
      const params = { sessionId: at(message, 'params', 'sessionId'), ...id };
      if (isAbout(part)(message)) toKit(JSON.stringify({ jsonrpc: '2.0', id: 'of a mutant', method, params }));
      return [message];
    },
  });
}

export const silent = { quirk: 'reports no failure and exits with 0' } as const;
export const everything = {
  prompt: { image: {}, audio: {}, embeddedContext: {} },
  mcp: { stdio: {}, http: {} },
  delete: {},
};
export const withCode = (from: number, to: number): ClientDefect =>
  receives((message) => {
    const error = asMessage(message['error']);
    return error?.['code'] === from ? { ...message, error: { ...error, code: to } } : message;
  });
