import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect } from '../../mutant-line.ts';

/** An answer with an error, as a line. */
export function errorLine({ id }: RawMessage, code: number, message = 'no'): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}

/** An answer with a result, as a line. */
export function resultLine({ id }: RawMessage, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function paramsOf(message: RawMessage): RawMessage {
  return asMessage(message['params']) ?? {};
}

/** An agent that answers some messages in a way of its own, and does nothing about them. */
export function answering(answer: (message: RawMessage) => string | undefined): Defect {
  return ({ toKit }) => ({
    hears: (message) => {
      const line = answer(message);
      if (line === undefined) return [message];
      toKit(line);
      return [];
    },
  });
}

/** An agent whose errors are others. */
export function erring(change: (error: RawMessage) => RawMessage): Defect {
  return () => ({
    says: (message) => {
      const error = asMessage(message['error']);
      return [error === undefined ? message : { ...message, error: change(error) }];
    },
  });
}
