import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** The value of a store; renders again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.shown, store.shown);
}

/** A part of a store's value; renders again only when that part changes. */
export function useStorePart<Value, Part>(store: Store<Value>, part: (value: Value) => Part): Part {
  const shown = (): Part => part(store.shown());
  return useSyncExternalStore(store.subscribe, shown, shown);
}
