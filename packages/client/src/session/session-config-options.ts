import type { Params, SessionConfigOption, SessionConfigSelectOption } from '@turnwire/protocol';
import { chosen, refusedChoice } from './refused-choice.ts';

/** The configuration options of a session, such as its model (protocol: Session Config Options). */
export interface SessionConfigOptions {
  /** All options with their current values, the most important first. */
  readonly list: readonly SessionConfigOption[];
  /**
   * Sets one, even during a turn; others may change with it. A `select` takes one of its values, a `boolean` true or false. Rejects with
   * TurnwireError `invalid-message` for an unknown option or value, `timeout` after `timeouts.set`, or with the agent's error.
   */
  set(id: string, value: string | boolean): Promise<void>;
}

/** The choice of a value, without the session. */
export type ConfigChoice =
  | { readonly configId: string; readonly type: 'boolean'; readonly value: boolean }
  | { readonly configId: string; readonly value: string };

/** The current options, and how to change them. */
export function sessionConfigOptions(
  list: readonly SessionConfigOption[],
  send: (choice: ConfigChoice) => Promise<void>,
): SessionConfigOptions {
  return { list, set: async (id, value) => send(choiceOf(list, id, value)) };
}

/** The values of a `select` option, including those in groups. */
export function selectValues(
  option: SessionConfigOption & { readonly type: 'select' },
): readonly SessionConfigSelectOption[] {
  return option.options.flatMap((each) => ('group' in each ? each.options : [each]));
}

/**
 * The choice that sets a mode through the session's option for modes; undefined if that option, or a value for the mode, does not exist.
 */
export function modeChoice(list: readonly SessionConfigOption[], modeId: string): ConfigChoice | undefined {
  const option = list.find(({ category }) => category === 'mode');
  const isListed = option?.type === 'select' && selectValues(option).some(({ value }) => value === modeId);
  return isListed ? { configId: option.id, value: modeId } : undefined;
}

/** The options with one of them changed, for agents that do not return the new options. */
export function withChoice(
  list: readonly SessionConfigOption[],
  { configId, value }: ConfigChoice,
): readonly SessionConfigOption[] {
  return list.map((option) =>
    option.id === configId ? ({ ...option, currentValue: value } as SessionConfigOption) : option,
  );
}

/** The parameters of a choice. */
export function choiceParams(sessionId: string, choice: ConfigChoice): Params<'session/set_config_option'> {
  return { sessionId, ...choice };
}

function choiceOf(list: readonly SessionConfigOption[], id: string, value: string | boolean): ConfigChoice {
  const option = chosen('option', id, list);
  if (option.type === 'boolean') {
    if (typeof value === 'boolean') return { configId: id, type: 'boolean', value };
    throw refusedChoice(`the option "${id}" takes true or false, not "${value}"`);
  }
  const values = selectValues(option).map((each) => each.value);
  if (typeof value === 'string' && values.includes(value)) return { configId: id, value };
  throw refusedChoice(`the option "${id}" has no value "${value}"; it has: ${values.join(', ')}`);
}
