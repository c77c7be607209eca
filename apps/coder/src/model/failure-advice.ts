import { AnswerDefect } from './answer-defect.ts';
import type { FailureFacts, FailureReason } from './failure-facts.ts';
import type { ChosenModel } from './model.ts';

/** The event, as the first sentence of the message. */
export function briefFor(chosen: ChosenModel, { reason, status }: FailureFacts, error: unknown): string {
  const say = briefOf[reason];
  const name = chosen.provider?.name ?? chosen.id;
  const timeout = error instanceof AnswerDefect ? error.timeout : undefined;
  const seconds = timeout === undefined ? '' : ` for ${Math.max(1, Math.round(timeout / 1000))} s`;
  return `${say({ chosen, name, seconds })}${status === undefined || status < 400 ? '' : ` (HTTP ${status})`}`;
}

const briefOf: Readonly<
  Record<
    FailureReason,
    (named: { readonly chosen: ChosenModel; readonly name: string; readonly seconds: string }) => string
  >
> = {
  unauthorized: ({ name }) => `${name} does not accept the key`,
  forbidden: ({ name, chosen }) => `${name} does not allow this key to use ${chosen.id}`,
  billing: ({ name }) => `${name} requires payment before it answers`,
  'model-not-found': ({ name, chosen }) => `${name} has no model ${chosen.id.slice(chosen.id.indexOf('/') + 1)}`,
  'context-overflow': ({ chosen }) => `The conversation is too long for ${chosen.id}`,
  'bad-request': ({ name }) => `${name} refused the request`,
  'rate-limited': ({ name }) => `${name} received more requests than it allows`,
  overloaded: ({ name }) => `${name} is overloaded`,
  'server-error': ({ name }) => `${name} failed`,
  connection: ({ name, chosen }) =>
    `The connection to ${name}${chosen.provider?.baseUrl ? ` at ${chosen.provider.baseUrl}` : ''} failed`,
  stalled: ({ name, seconds }) => `${name} has been silent${seconds}`,
  'broke-off': ({ name }) => `The answer of ${name} broke off`,
  'not-understood': ({ name }) => `${name} sent a response that is not an answer of a model`,
  unknown: ({ chosen }) => `The model ${chosen.id} failed`,
};

const namesShown = 12;

/** Advice for the user, in sentences. */
export function adviceFor(chosen: ChosenModel, { reason, status }: FailureFacts): readonly string[] {
  const { provider } = chosen;
  if (reason === 'unauthorized' || reason === 'forbidden') return keyAdvice(provider);
  if (reason === 'billing') return ['Check your account there, or choose another model.'];
  if (reason === 'model-not-found') return [...siblingsOf(chosen), ...addressAdvice(provider)];
  if (reason === 'context-overflow') return ['Shorten it with /compact, or choose a model with a larger context.'];
  if (reason === 'not-understood') return addressAdvice(provider);
  // A server that began to answer is running.
  if (reason === 'connection' && provider?.isLocal && status === undefined)
    return [`Is ${provider.name} running?`, ...addressAdvice(provider)];
  return [];
}

function keyAdvice(provider: ChosenModel['provider']): readonly string[] {
  if (provider?.keyVariable === undefined) return [];
  // Providers with a known key page have a login.
  const login = provider.keysAt === undefined ? '' : `, or log in again; create a key at ${provider.keysAt}`;
  return [`Set ${provider.keyVariable} to a valid key${login}.`];
}

function siblingsOf({ siblings = [] }: ChosenModel): readonly string[] {
  if (siblings.length === 0) return ['Choose another model.'];
  const more = siblings.length > namesShown ? ` and ${siblings.length - namesShown} more` : '';
  return [`Choose another model, such as ${siblings.slice(0, namesShown).join(', ')}${more}.`];
}

function addressAdvice(provider: ChosenModel['provider']): readonly string[] {
  if (provider?.baseUrl === undefined || provider.baseUrlVariable === undefined) return [];
  return [`The request went to ${provider.baseUrl}; ${provider.baseUrlVariable} sets the address.`];
}
