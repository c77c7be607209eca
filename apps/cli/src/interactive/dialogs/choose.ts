import type { Choosing, Offer } from '../../questions/choice.ts';
import type { OpenDialogs } from './open-dialogs.ts';
import { Picker } from './picker.ts';

/** Lets the user pick one of several choices. Choices that are still loading appear as they arrive. */
export function choose<Value>(
  dialogs: OpenDialogs,
  { load, ...choosing }: Choosing<Value>,
  changed: () => void,
): Promise<Value | undefined> {
  return dialogs.answer((settle) => {
    const loading = new AbortController();
    const onPick = (value: Value | undefined): void => {
      loading.abort();
      settle(value);
    };
    const picker = new Picker<Value>({ ...choosing, onPick });
    const offer: Offer<Value> = (found, note) => {
      picker.offer(found, note);
      changed();
    };
    void load?.(offer, loading.signal);
    return picker;
  });
}
