import { choicesOf } from '../../audit/session-facts.ts';
import { objectsIn, type RawMessage } from '../../wire/messages.ts';
import type { Session } from '../session.ts';

export function modeOptionIn(options: readonly RawMessage[]): RawMessage | undefined {
  return options.find(({ category, type }) => category === 'mode' && type === 'select');
}

export function selectIn(options: readonly RawMessage[]): RawMessage | undefined {
  return options.find((option) => option['type'] === 'select' && choicesOf(option).includes(option['currentValue']));
}

export function otherValueIn(option: RawMessage): unknown {
  return choicesOf(option).find((value) => value !== option['currentValue']);
}

/** The current options of a session: those of the last update, else the initial ones. */
export function currentOptions(session: Session): readonly RawMessage[] {
  const last = session.updates('config_option_update').findLast(({ sessionId }) => sessionId === session.id);
  return objectsIn((last?.update ?? session.setup)['configOptions']);
}
