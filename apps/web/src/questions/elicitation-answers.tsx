import type { OpenQuestion } from '@turnwire/client/gateway';
import type { ReactNode } from 'react';

/** The answers to a question of the agent: an accepting one in the children, and the refusals. */
export function ElicitationAnswers({
  question: { answer },
  children,
}: {
  readonly question: OpenQuestion & { readonly type: 'elicitation' };
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="answers">
      {children}
      <button type="button" className="refuse" onClick={() => answer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" className="plain-button" onClick={() => answer({ action: 'cancel' })}>
        Cancel
      </button>
    </div>
  );
}
