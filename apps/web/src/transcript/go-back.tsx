import { createContext, type ReactNode, useContext } from 'react';
import { Icon } from '../parts/icon.tsx';
import { RowNumber } from './use-fold.ts';

/** How to go back to before a prompt. */
export interface GoingBack {
  /** The first row that is still in the agent's context. */
  readonly firstRow: number;
  /** Opens the dialog for the prompt in this row. */
  readonly ask: (row: number) => void;
}

/** Undefined if the agent cannot go back, or not at the moment. */
export const GoBack: React.Context<GoingBack | undefined> = createContext<GoingBack | undefined>(undefined);

/** A button at a prompt that goes back to before it. */
export function GoBackButton(): ReactNode {
  const goBack = useContext(GoBack);
  const row = useContext(RowNumber);
  if (!goBack || !(row >= goBack.firstRow)) return null;
  return (
    <button
      type="button"
      className="bare go-back"
      aria-label="Go back to before this prompt"
      title="Go back to before this prompt"
      onClick={() => goBack.ask(row)}
    >
      <Icon name="back" />
    </button>
  );
}
