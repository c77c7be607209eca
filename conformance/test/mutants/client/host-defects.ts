import { asMessage, type RawMessage } from '../../../src/wire/messages.ts';
import type { ClientMutant } from '../client-mutant.ts';

type Fault = NonNullable<ClientMutant['defect']>;

/** Changes or drops the answers to requests for a method. */
export function answersTo(
  method: string,
  change: (answer: RawMessage, params: RawMessage) => readonly RawMessage[],
): Fault {
  return () => {
    const asked = new Map<string, RawMessage>();
    return {
      hears: (message) => {
        if (message['method'] === method) asked.set(idOf(message), asMessage(message['params']) ?? {});
        return [message];
      },
      says: (message) => {
        const params = message['method'] === undefined ? asked.get(idOf(message)) : undefined;
        return params === undefined ? [message] : change(message, params);
      },
    };
  };
}

/** Answers requests for a method with this result, or those that match, regardless of their outcome. */
export function answersWith(method: string, result: RawMessage, isMeant: (params: RawMessage) => boolean = all): Fault {
  return answersTo(method, (answer, params) => [
    isMeant(params) ? { jsonrpc: '2.0', id: answer['id'], result } : answer,
  ]);
}

/** Answers requests for a method with an error, or those that match, regardless of their outcome. */
export function refuses(method: string, code: number, isMeant: (params: RawMessage) => boolean = all): Fault {
  return answersTo(method, (answer, params) => [
    isMeant(params) ? { jsonrpc: '2.0', id: answer['id'], error: { code, message: 'No.' } } : answer,
  ]);
}

/** Changes the results of requests for a method. */
export function changesResult(method: string, change: (result: RawMessage) => RawMessage): Fault {
  return answersTo(method, (answer) => {
    const result = asMessage(answer['result']);
    return [result === undefined ? answer : { ...answer, result: change(result) }];
  });
}

/** Answers requests for a method at once, without doing anything. */
export function feigns(method: string, result: RawMessage): Fault {
  return ({ toKit }) => ({
    hears: (message) => {
      if (message['method'] !== method) return [message];
      toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
      return [];
    },
  });
}

/** Changes the parameters of requests for a method. */
export function mistakes(method: string, change: (params: RawMessage) => RawMessage): Fault {
  return () => ({
    hears: (message) =>
      message['method'] === method ? [{ ...message, params: change(asMessage(message['params']) ?? {}) }] : [message],
  });
}

/** Performs another action than the requested one. */
export function confuses(method: string, other: string): Fault {
  return () => ({
    hears: (message) => [message['method'] === method ? { ...message, method: other } : message],
  });
}

/** Changes the results of requests that open sessions. */
export function misreadsSetup(change: (setup: RawMessage) => RawMessage): Fault {
  return () => ({
    hears: (message) => {
      const result = asMessage(message['result']);
      const isSetup = result?.['modes'] !== undefined || result?.['configOptions'] !== undefined;
      return [isSetup ? { ...message, result: change(result) } : message];
    },
  });
}

function idOf(message: RawMessage): string {
  return JSON.stringify(message['id']);
}

function all(): boolean {
  return true;
}
