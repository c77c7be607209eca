import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect } from '../../mutant-line.ts';

/** An error response, as a line. */
export function errorLine({ id }: RawMessage, code: number, message = 'no'): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}

/** A success response, as a line. */
export function resultLine({ id }: RawMessage, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function paramsOf(message: RawMessage): RawMessage {
  return asMessage(message['params']) ?? {};
}

/** Answers some messages itself instead of passing them to the agent. */
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

/** Changes the error responses of the agent. */
export function erring(change: (error: RawMessage) => RawMessage): Defect {
  return () => ({
    says: (message) => {
      const error = asMessage(message['error']);
      return [error === undefined ? message : { ...message, error: change(error) }];
    },
  });
}
