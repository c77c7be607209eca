import type { JournalEntry, RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';
import { objectsIn, updatesIn } from './frames.ts';

/** The values of a select option, whether in groups or not. */
function valuesOf(option: RawMessage): readonly unknown[] {
  return objectsIn(option['options']).flatMap((each) =>
    Array.isArray(each['options']) ? objectsIn(each['options']).map(({ value }) => value) : [each['value']],
  );
}

/** The option that stands for the mode. */
export function modeOptionIn(options: readonly RawMessage[]): RawMessage | undefined {
  return options.find(({ category, type }) => category === 'mode' && type === 'select');
}

/** A select option with a value to choose. */
export function selectIn(options: readonly RawMessage[]): RawMessage | undefined {
  return options.find((option) => option['type'] === 'select' && valuesOf(option).includes(option['currentValue']));
}

/** Another value that can be chosen in a select option. */
export function otherValueIn(option: RawMessage): unknown {
  return valuesOf(option).find((value) => value !== option['currentValue']);
}

/** The current options of a session: those of the last update, else the initial ones. */
export function currentOptions(
  journal: readonly JournalEntry[],
  { sessionId, result }: { readonly sessionId: string; readonly result: RawMessage },
): readonly RawMessage[] {
  const last = updatesIn(journal).findLast(
    ({ kind, sessionId: of }) => kind === 'config_option_update' && of === sessionId,
  );
  return objectsIn(asMessage(last?.update)?.['configOptions'] ?? result['configOptions']);
}
