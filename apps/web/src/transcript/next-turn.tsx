import type { NextStep } from '@turnwire/client/view';
import type { ContentBlock } from '@turnwire/protocol';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { SessionState } from '../state/session-state.ts';
import type { SessionStore } from '../state/session-store.ts';
import { useStorePart } from '../state/use-store.ts';
import { RowNumber } from './use-fold.ts';

interface Following {
  /** The row with the end of the last turn. */
  readonly row: number;
  readonly take: (step: NextStep) => void;
}

/** How the user continues after the last turn. Undefined while a turn runs, and for users who only watch. */
export const NextTurn: React.Context<Following | undefined> = createContext<Following | undefined>(undefined);

/** The value of {@link NextTurn} for a session. */
export function useNextTurn(session: SessionStore): Following | undefined {
  const row = useStorePart(session.state, rowOfLastEnd);
  return useMemo(
    () =>
      row === undefined
        ? undefined
        : { row, take: (step) => session.prompts.add(promptOf(session.state.current, step)) },
    [row, session],
  );
}

/** The ways to continue after a turn, at the end of the last one. */
export function NextSteps({ steps }: { readonly steps: readonly NextStep[] }): ReactNode {
  const next = useContext(NextTurn);
  const row = useContext(RowNumber);
  if (steps.length === 0 || next?.row !== row) return null;
  return (
    <div className="next-steps">
      {steps.map((step) => (
        <button key={step} type="button" className="plain-button" onClick={() => next.take(step)}>
          {step === 'retry' ? 'Try again' : 'Continue'}
        </button>
      ))}
    </div>
  );
}

function rowOfLastEnd({ role, phase, workingSince, waiting, queue, view, firstRow }: SessionState): number | undefined {
  const isIdle = phase === 'ready' && workingSince === undefined && waiting.length + queue.length === 0;
  const last = view.entries.length - 1;
  return role === 'control' && isIdle && view.entries.at(last)?.type === 'turn-end' ? firstRow + last : undefined;
}

function promptOf({ view: { entries } }: SessionState, step: NextStep): readonly ContentBlock[] {
  for (let index = entries.length - 1; step === 'retry' && index >= 0; index--) {
    const entry = entries.at(index);
    if (entry?.type === 'user') return entry.content;
  }
  return [{ type: 'text', text: 'Continue.' }];
}
