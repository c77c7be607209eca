import { asMessage, type RawMessage } from '../../../src/wire/messages.ts';
import type { ClientMutant } from '../client-mutant.ts';

type Fault = NonNullable<ClientMutant['defect']>;

/** Answers the requests for a method otherwise, or not at all. */
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

/** Answers all requests for a method with a result, or those that are so, whatever came of them. */
export function answersWith(method: string, result: RawMessage, isMeant: (params: RawMessage) => boolean = all): Fault {
  return answersTo(method, (answer, params) => [
    isMeant(params) ? { jsonrpc: '2.0', id: answer['id'], result } : answer,
  ]);
}

/** Refuses all requests for a method with an error, or those that are so, whatever came of them. */
export function refuses(method: string, code: number, isMeant: (params: RawMessage) => boolean = all): Fault {
  return answersTo(method, (answer, params) => [
    isMeant(params) ? { jsonrpc: '2.0', id: answer['id'], error: { code, message: 'No.' } } : answer,
  ]);
}

/** Answers requests for a method with a result that is changed. */
export function changesResult(method: string, change: (result: RawMessage) => RawMessage): Fault {
  return answersTo(method, (answer) => {
    const result = asMessage(answer['result']);
    return [result === undefined ? answer : { ...answer, result: change(result) }];
  });
}

/** Answers requests for a method at once, and does nothing. */
export function feigns(method: string, result: RawMessage): Fault {
  return ({ toKit }) => ({
    hears: (message) => {
      if (message['method'] !== method) return [message];
      toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
      return [];
    },
  });
}

/** Takes the requests for a method for others. */
export function mistakes(method: string, change: (params: RawMessage) => RawMessage): Fault {
  return () => ({
    hears: (message) =>
      message['method'] === method ? [{ ...message, params: change(asMessage(message['params']) ?? {}) }] : [message],
  });
}

/** Does another thing than is asked. */
export function confuses(method: string, other: string): Fault {
  return () => ({
    hears: (message) => [message['method'] === method ? { ...message, method: other } : message],
  });
}

/** Takes what sessions begin with for something else. */
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
