import type { MessageBlock } from '@turnwire/client/view';
import type { ReactNode } from 'react';
import { Blocks } from './blocks.tsx';
import { useFold } from './use-fold.ts';

/** A thought of the agent, folded. */
export function Thought({ thought }: { readonly thought: MessageBlock }): ReactNode {
  const [isOpen, toggle] = useFold(false);
  return (
    <details className="thought" open={isOpen} onToggle={toggle}>
      <summary>{thought.isOpen ? 'Thinking…' : 'Thought'}</summary>
      {isOpen && <Blocks content={thought.content} isOpen={thought.isOpen} />}
    </details>
  );
}
