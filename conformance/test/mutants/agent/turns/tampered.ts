import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect } from '../../mutant-line.ts';

/** Changes updates; undefined drops them. */
export function tells(change: (update: RawMessage) => RawMessage | undefined): Defect {
  return () => ({
    says: (message) => {
      const params = asMessage(message['params']);
      const update = asMessage(params?.['update']);
      if (message['method'] !== 'session/update' || update === undefined) return [message];
      const changed = change(update);
      return changed === undefined ? [] : [{ ...message, params: { ...params, update: changed } }];
    },
  });
}

/** Changes the results of prompts. */
export function answersPrompts(change: (answer: RawMessage) => readonly RawMessage[]): Defect {
  return () => ({ says: (message) => (isPromptAnswer(message) ? change(message) : [message]) });
}

/** Changes the parameters of the agent's requests for a method. */
export function asks(method: string, change: (params: RawMessage) => RawMessage): Defect {
  return () => ({
    says: (message) =>
      message['method'] === method ? [{ ...message, params: change(asMessage(message['params']) ?? {}) }] : [message],
  });
}

/** Uses another session id than the client in messages of this method. */
export function inSessionOfItsOwn(method: string): Defect {
  return () => ({
    says: (message) => {
      const params = { ...asMessage(message['params']), sessionId: 'the session as I know it' };
      return [message['method'] === method ? { ...message, params } : message];
    },
  });
}

/** Changes the answer of the client to requests for this method. */
export function takes(method: string, change: (answer: RawMessage, asked: RawMessage) => RawMessage): Defect {
  return () => {
    const asked = new Map<unknown, RawMessage>();
    return {
      says: (message) => {
        if (message['method'] === method) asked.set(message['id'], asMessage(message['params']) ?? {});
        return [message];
      },
      hears: (message) => {
        const params = message['method'] === undefined ? asked.get(message['id']) : undefined;
        return [params === undefined ? message : change(message, params)];
      },
    };
  };
}

/** Makes the agent believe that the client has more capabilities. */
export function takesForOffered(capabilities: RawMessage): Defect {
  return () => ({
    hears: (message) => {
      if (message['method'] !== 'initialize') return [message];
      const params = asMessage(message['params']) ?? {};
      const clientCapabilities = { ...asMessage(params['clientCapabilities']), ...capabilities };
      return [{ ...message, params: { ...params, clientCapabilities } }];
    },
  });
}

export function isPromptAnswer(message: RawMessage): boolean {
  return asMessage(message['result'])?.['stopReason'] !== undefined;
}

export function withStopReason(answer: RawMessage, stopReason: string): RawMessage {
  return { ...answer, result: { ...asMessage(answer['result']), stopReason } };
}

export function stopReasonOf(answer: RawMessage): unknown {
  return asMessage(answer['result'])?.['stopReason'];
}

/** The answer as an error. */
export function asError({ id }: RawMessage): RawMessage {
  return { jsonrpc: '2.0', id, error: { code: -32_603, message: 'This operation was aborted' } };
}

/** An answer to a permission request that selects an option of a kind. */
export function choosing(kind: string, { id }: RawMessage, { options }: RawMessage): RawMessage {
  const option = Array.isArray(options) ? options.map(asMessage).find((each) => each?.['kind'] === kind) : undefined;
  return { jsonrpc: '2.0', id, result: { outcome: { outcome: 'selected', optionId: option?.['optionId'] } } };
}

/** Releases no terminal, but makes the agent believe it did. */
export const keepsTerminals: Defect = ({ toSubject }) => ({
  says: (message) => {
    const { id, method } = message;
    if (method !== 'terminal/release') return [message];
    toSubject(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    return [];
  },
});
