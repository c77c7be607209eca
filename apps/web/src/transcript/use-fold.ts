import { createContext, type SyntheticEvent, useContext, useState } from 'react';

/** Which entries of a session are unfolded. Entries that are far from the screen are not drawn, and must not forget it. */
export const Folds: React.Context<Map<string, boolean>> = createContext(new Map<string, boolean>());

/** Whether an entry is unfolded, and a listener for its `toggle` events. */
export function useFold(
  key: string,
  isOpenAtFirst: boolean,
): readonly [isOpen: boolean, onToggle: (toggle: SyntheticEvent<HTMLDetailsElement>) => void] {
  const folds = useContext(Folds);
  const [, drawAgain] = useState(0);
  const isOpen = folds.get(key) ?? isOpenAtFirst;
  return [
    isOpen,
    ({ currentTarget }) => {
      if (currentTarget.open === isOpen) return;
      folds.set(key, currentTarget.open);
      drawAgain((count) => count + 1);
    },
  ];
}
