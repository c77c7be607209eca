import { createContext, type SyntheticEvent, useContext, useState } from 'react';

/** The unfolded parts of a session, which must survive while their entries are not drawn. */
export const Unfolded: React.Context<Map<string, unknown>> = createContext(new Map<string, unknown>());

/** The number of the row in which an entry is drawn. It stays the same when earlier entries are loaded. NaN outside rows. */
export const RowNumber: React.Context<number> = createContext(NaN);

/**
 * A state that an entry keeps while it is not drawn.
 * @param what distinguishes several states of one entry
 */
export function useKept<Value>(what: string, first: Value): readonly [value: Value, set: (value: Value) => void] {
  const kept = useContext(Unfolded);
  const key = `${useContext(RowNumber)} ${what}`;
  const [, drawAgain] = useState(0);
  const set = (value: Value): void => {
    kept.set(key, value);
    drawAgain((count) => count + 1);
  };
  return [kept.has(key) ? (kept.get(key) as Value) : first, set];
}

/** Whether an entry is unfolded, and a listener for its `toggle` events. */
export function useFold(
  isOpenAtFirst: boolean,
): readonly [isOpen: boolean, onToggle: (toggle: SyntheticEvent<HTMLDetailsElement>) => void] {
  const [isOpen, setOpen] = useKept('open', isOpenAtFirst);
  return [
    isOpen,
    ({ currentTarget }) => {
      if (currentTarget.open !== isOpen) setOpen(currentTarget.open);
    },
  ];
}
