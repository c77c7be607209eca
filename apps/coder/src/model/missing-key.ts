import { invalidParams } from '@turnwire/protocol';
import type { ProtocolError } from '@turnwire/protocol';
import { ModelFailure } from './model-failure.ts';
import type { Provider } from './providers/provider.ts';

/** What else there is to say about a key that is missing. */
export interface MissingKeyHints {
  /** Who chose the model. */
  readonly from: string | undefined;
  /** Why stored keys cannot be read. */
  readonly warning: string | undefined;
}

/** A model was chosen whose provider answers nobody without a key. */
export function missingKey(
  { id, name, keyVariables, keysAt }: Provider,
  model: string,
  hints: MissingKeyHints,
): ModelFailure {
  const { from, warning } = hints;
  const brief = `${name} needs a key`;
  const sentences = [
    `${brief} for ${model}${from === undefined ? '' : ` (chosen by ${from})`}.`,
    `Set ${keyVariables.join(' or ')}${keysAt === undefined ? '' : `, or log in. There are keys at ${keysAt}`}.`,
    ...(warning === undefined ? [] : [warning]),
  ];
  return new ModelFailure(
    { provider: id, model, reason: 'unauthorized', retryable: false },
    { brief, message: sentences.join(' '), canLogIn: keysAt !== undefined },
  );
}

/** A model was chosen whose provider nobody knows. */
export function unknownProvider(
  model: string,
  providers: readonly Provider[],
  from: string | undefined,
): ProtocolError {
  const chosen = from === undefined ? '' : ` (chosen by ${from})`;
  const names = providers.map(({ id }) => `${id}/…`).join(', ');
  return invalidParams(
    `There is no model ${JSON.stringify(model)}${chosen}. A model is written as one of: ${names}; or offline.`,
  );
}

/** A model was chosen whose provider is nowhere yet. */
export function missingAddress({ id, name, baseUrlVariables: [variable] }: Provider, model: string): ProtocolError {
  const how = variable === undefined ? `Set providers.${id}.baseUrl in coder.json` : `Set ${variable}`;
  return invalidParams(`${name} has no address that can be used, so ${model} cannot be asked. ${how}.`);
}
