import type { MessageEntry } from '@turnwire/client/transcript';
import type { ReactNode } from 'react';
import { Blocks } from './blocks.tsx';
import { useFold } from './use-fold.ts';

/** A thought of the agent, folded. */
export function Thought({ entry }: { readonly entry: MessageEntry }): ReactNode {
  const [isOpen, toggle] = useFold(false);
  return (
    <details className="thought" open={isOpen} onToggle={toggle}>
      <summary>{entry.isOpen ? 'Thinking…' : 'Thought'}</summary>
      {isOpen && <Blocks content={entry.content} isOpen={entry.isOpen} />}
    </details>
  );
}
