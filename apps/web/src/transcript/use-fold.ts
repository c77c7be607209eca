import { createContext, type SyntheticEvent, useContext, useState } from 'react';

/** Which entries of a session are unfolded. Entries that are far from the screen are not drawn, and must not forget it. */
export const Folds: React.Context<Map<number, boolean>> = createContext(new Map<number, boolean>());

/** The number of the row that an entry is drawn in: it stays when earlier entries are loaded. What is drawn elsewhere has none. */
export const RowNumber: React.Context<number> = createContext(NaN);

/** Whether an entry is unfolded, and a listener for its `toggle` events. */
export function useFold(
  isOpenAtFirst: boolean,
): readonly [isOpen: boolean, onToggle: (toggle: SyntheticEvent<HTMLDetailsElement>) => void] {
  const folds = useContext(Folds);
  const row = useContext(RowNumber);
  const [, drawAgain] = useState(0);
  const isOpen = folds.get(row) ?? isOpenAtFirst;
  return [
    isOpen,
    ({ currentTarget }) => {
      if (currentTarget.open === isOpen) return;
      folds.set(row, currentTarget.open);
      drawAgain((count) => count + 1);
    },
  ];
}
