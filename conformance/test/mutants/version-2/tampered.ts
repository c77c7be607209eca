import type { RequirementId } from '../../../src/requirements/requirement.ts';
import { asMessage, type RawMessage } from '../../../src/wire/messages.ts';
import { answering, errorLine, paramsOf } from '../agent/protocol/said.ts';
import { tells } from '../agent/turns/tampered.ts';
import type { Defect } from '../mutant-line.ts';

/** A raw agent of version 2 with one defect: the scenario must find this requirement broken, and no other. */
export interface Version2Mutant {
  /** The fault, as the end of a sentence. */
  readonly name: string;
  readonly scenario: string;
  readonly breaks: RequirementId;
  readonly defect: Defect;
}

/** Changes the answers to requests for a method. */
export function answers(
  method: string,
  change: (answer: RawMessage, params: RawMessage) => RawMessage | string,
): Defect {
  return () => {
    const asked = new Map<string, RawMessage>();
    return {
      hears: (message) => {
        if (message['method'] === method) asked.set(JSON.stringify(message['id']), paramsOf(message));
        return [message];
      },
      says: (message) => {
        const params = message['method'] === undefined ? asked.get(JSON.stringify(message['id'])) : undefined;
        return [params === undefined ? message : change(message, params)];
      },
    };
  };
}

/** Changes the results of a method. */
export function results(method: string, change: (result: RawMessage, params: RawMessage) => unknown): Defect {
  return answers(method, (answer, params) =>
    asMessage(answer['result']) === undefined
      ? answer
      : { ...answer, result: change(answer['result'] as RawMessage, params) },
  );
}

/** Changes the parameters of requests for a method. */
export function receives(method: string, change: (params: RawMessage) => RawMessage): Defect {
  return () => ({
    hears: (message) => [message['method'] === method ? { ...message, params: change(paramsOf(message)) } : message],
  });
}

/** Refuses requests for a method that fit. */
export function refuses(method: string, code: number, fits: (params: RawMessage) => boolean = () => true): Defect {
  return answering((message) =>
    message['method'] === method && fits(paramsOf(message)) ? errorLine(message, code) : undefined,
  );
}

/** Changes the updates of one kind; undefined drops them. */
export function updates(kind: string, change: (update: RawMessage) => RawMessage | undefined): Defect {
  return tells((update) => (update['sessionUpdate'] === kind ? change(update) : update));
}

/** Changes the states; undefined drops them. */
export function states(state: string, change: (update: RawMessage) => RawMessage | undefined): Defect {
  return updates('state_update', (update) => (update['state'] === state ? change(update) : update));
}

/** Changes updates between a `session/resume` and its answer; several may replace one. */
export function replays(change: (message: RawMessage, update: RawMessage) => readonly RawMessage[]): Defect {
  return () => {
    let open: unknown;
    return {
      hears: (message) => {
        if (message['method'] === 'session/resume') open = message['id'];
        return [message];
      },
      says: (message) => {
        const update = asMessage(paramsOf(message)['update']);
        if (message['method'] === undefined && message['id'] === open) open = undefined;
        return open === undefined || update === undefined ? [message] : change(message, update);
      },
    };
  };
}

export function withUpdate(message: RawMessage, update: RawMessage): RawMessage {
  return { ...message, params: { ...paramsOf(message), update } };
}

/** Changes the answer to `initialize`. */
export const initialized = (change: (result: RawMessage) => RawMessage): Defect => results('initialize', change);
