import type { Given, Place } from '../received.ts';

type Profile = 'lenient' | 'go-reference' | 'pharo';

/** One deviating value, and what it becomes under the row's profile. */
export interface Case {
  readonly place: Place;
  readonly value: unknown;
  /** Absent: it stays as it is, because it is official or because it means nothing. */
  readonly becomes?: unknown;
  readonly given?: Given;
  /** What comes out does not fit the schema either: the message is refused. */
  readonly refused?: true;
}

/** How one deviation of the inventory is handled: by a profile, with at least one case, or not here, for a reason. */
export type Row =
  | { readonly profile: Profile; readonly cases: readonly Case[] }
  | { readonly reason: string; readonly untouched?: readonly Case[] };

type Details = Omit<Case, 'place'>;

export function params(method: string, details: Details): Case {
  return { place: { params: method }, ...details };
}

export function result(method: string, details: Details): Case {
  return { place: { result: method }, ...details };
}

export function error(method: string, details: Details): Case {
  return { place: { error: method }, ...details };
}

/** A message made of a value in a wrapper, and the same with what the value becomes. */
function wrapped(place: Place, wrap: (value: unknown) => unknown): (value: unknown, becomes?: unknown) => Case {
  return (value, becomes) => ({ place, value: wrap(value), ...(becomes !== undefined && { becomes: wrap(becomes) }) });
}

type Wrapped = ReturnType<typeof wrapped>;

export const update: Wrapped = wrapped({ params: 'session/update' }, (value) => ({ sessionId: 's', update: value }));

export const toolContent: Wrapped = wrapped({ params: 'session/update' }, (item) => ({
  sessionId: 's',
  update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'T', content: [item] },
}));

export const servers: Wrapped = wrapped({ params: 'session/new' }, (mcpServers) => ({ cwd: '/p', mcpServers }));

export const agent: Wrapped = wrapped({ result: 'initialize' }, (agentCapabilities) => ({
  protocolVersion: 1,
  agentCapabilities,
}));

export const block: Wrapped = wrapped({ params: 'session/prompt' }, (each) => ({ sessionId: 's', prompt: [each] }));

const asked = {
  request: {
    sessionId: 's',
    toolCall: { toolCallId: 'c' },
    options: [
      { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
      { optionId: 'always', kind: 'allow_always', name: 'Always' },
      { optionId: 'forever', kind: 'allow_always', name: 'For ever' },
      { optionId: 'no', kind: 'reject_once', name: 'No' },
      { optionId: 'cancelled', kind: 'allow_once', name: 'Looks like a refusal and is none' },
    ],
  },
};
const cancelled = { outcome: { outcome: 'cancelled' } };

export function answer(value: unknown, optionId?: string): Case {
  const becomes = optionId === undefined ? cancelled : { outcome: { outcome: 'selected', optionId } };
  return result('session/request_permission', { value, becomes, given: asked });
}

export function aside(facts: unknown): unknown {
  return { 'turnwire/dialect': facts };
}

export function renumbered(from: number, to: number, method: string): Case {
  return error(method, {
    value: { code: from, message: 'No.' },
    becomes: { code: to, message: 'No.', data: aside({ code: from }) },
  });
}

export const terminal: Readonly<Record<string, string>> = { sessionId: 's', terminalId: 't' };
