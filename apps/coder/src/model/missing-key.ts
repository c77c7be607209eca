import { invalidParams } from '@turnwire/protocol';
import type { ProtocolError } from '@turnwire/protocol';
import { ModelFailure } from './model-failure.ts';
import type { Provider } from './providers/provider.ts';

/** The facts about a missing key. */
export interface MissingKeyHints {
  /** The source of the choice. */
  readonly from: string | undefined;
  /** Why stored keys cannot be read. */
  readonly warning: string | undefined;
}

/** The error for a chosen model whose provider needs a key. */
export function missingKey(
  { id, name, keyVariables, keysAt }: Provider,
  model: string,
  hints: MissingKeyHints,
): ModelFailure {
  const { from, warning } = hints;
  const brief = `${name} needs a key`;
  const sentences = [
    `${brief} for ${model}${from === undefined ? '' : ` (chosen by ${from})`}.`,
    `Set ${keyVariables.join(' or ')}${keysAt === undefined ? '' : `, or log in. Create a key at ${keysAt}`}.`,
    ...(warning === undefined ? [] : [warning]),
  ];
  return new ModelFailure(
    { provider: id, model, reason: 'unauthorized', retryable: false },
    { brief, message: sentences.join(' '), canLogIn: keysAt !== undefined },
  );
}

/** The error for a chosen model of an unknown provider. */
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

/** The error for a chosen model whose provider has no address. */
export function missingAddress({ id, name, baseUrlVariables: [variable] }: Provider, model: string): ProtocolError {
  const how = variable === undefined ? `Set providers.${id}.baseUrl in coder.json` : `Set ${variable}`;
  return invalidParams(`${name} has no valid address, so ${model} cannot be used. ${how}.`);
}
