import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Tampering } from '../../mutant-line.ts';

type Change = (message: RawMessage) => RawMessage;

/** Passes requests of these methods on with changed parameters. */
export function misreading(methods: readonly string[], change: Change): Defect {
  return () => ({
    hears: (message) => [
      methods.includes(String(message['method']))
        ? { ...message, params: change(asMessage(message['params']) ?? {}) }
        : message,
    ],
  });
}

/** Changes the results of these methods. */
export function misanswering(methods: readonly string[], change: Change): Defect {
  return () => {
    const asked = new Set<unknown>();
    return {
      hears: (message) => {
        if (methods.includes(String(message['method']))) asked.add(message['id']);
        return [message];
      },
      says: (message) => {
        const result = asked.has(message['id']) ? asMessage(message['result']) : undefined;
        return [result === undefined ? message : { ...message, result: change(result) }];
      },
    };
  };
}

/** Answers some requests of a method itself, with a result or an error; `undefined` passes a request on. */
export function inventing(
  method: string,
  answer: (params: RawMessage, request: RawMessage) => RawMessage | undefined,
): Defect {
  return ({ toKit }) => ({
    hears: (message) => {
      const params = asMessage(message['params']) ?? {};
      const made = message['method'] === method ? answer(params, message) : undefined;
      if (made === undefined) return [message];
      toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...made }));
      return [];
    },
  });
}

/** Changes updates; `undefined` passes an update on unchanged. */
export function mistelling(
  change: (update: RawMessage, message: RawMessage) => readonly RawMessage[] | undefined,
): Defect {
  return () => ({
    says: (message) => {
      const update =
        message['method'] === 'session/update' ? asMessage(asMessage(message['params'])?.['update']) : undefined;
      return (update && change(update, message)) ?? [message];
    },
  });
}

/** Grants the agent the permissions it asks for. */
export function permittingItself({ toSubject }: Tampering): NonNullable<ReturnType<Defect>['says']> {
  return (message) => {
    if (message['method'] !== 'session/request_permission') return [message];
    const options = asMessage(message['params'])?.['options'] as readonly RawMessage[];
    const optionId = options.find(({ kind }) => kind === 'allow_once')?.['optionId'];
    const result = { outcome: { outcome: 'selected', optionId } };
    toSubject(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
    return [];
  };
}

/** Rejects the agent's own permission requests for reading, so that it stays in the folders of its session without asking. */
export function refusingItselfToRead({ toSubject }: Tampering): NonNullable<ReturnType<Defect>['says']> {
  return (message) => {
    const { toolCall, options } = asMessage(message['params']) ?? {};
    if (message['method'] !== 'session/request_permission' || asMessage(toolCall)?.['kind'] !== 'read')
      return [message];
    const optionId = (options as readonly RawMessage[]).find(({ kind }) => kind === 'reject_once')?.['optionId'];
    const result = { outcome: { outcome: 'selected', optionId } };
    toSubject(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
    return [];
  };
}

/** The prompt text in parameters. */
export function promptIn({ prompt }: RawMessage): string {
  return String((prompt as readonly RawMessage[])[0]?.['text']);
}

/** The parameters with another prompt text. */
export function withPrompt(params: RawMessage, text: string): RawMessage {
  const [, ...more] = params['prompt'] as readonly RawMessage[];
  return { ...params, prompt: [{ type: 'text', text }, ...more] };
}

/** A `session/update` with another update. */
export function withUpdate(message: RawMessage, update: RawMessage): RawMessage {
  return { ...message, params: { ...asMessage(message['params']), update } };
}
