import type { PlanBlock } from '@turnwire/client/view';
import type { ReactNode } from 'react';
import { Markdown } from '../markdown/markdown.tsx';
import { Icon } from '../parts/icon.tsx';
import { useFold } from './use-fold.ts';

/** The agent's plan above the editor: its progress and current step, and all steps when unfolded. */
export function Plan({ plan: { steps: entries, text } }: { readonly plan: PlanBlock }): ReactNode {
  const [isOpen, toggle] = useFold(false);
  if (text !== undefined)
    return (
      <details className="plan" open={isOpen} onToggle={toggle}>
        <summary>Plan</summary>
        {isOpen && <Markdown text={text} isOpen={false} />}
      </details>
    );
  if (entries.length === 0) return null;
  const done = entries.filter(({ status }) => status === 'completed').length;
  const next =
    entries.find(({ status }) => status === 'in_progress') ?? entries.find(({ status }) => status === 'pending');
  return (
    <details className="plan" open={isOpen} onToggle={toggle}>
      <summary>
        <span>
          Plan {done}/{entries.length}
        </span>
        <progress max={entries.length} value={done} aria-label="Progress of the plan" />
        {!isOpen && <span className="plan-next">{next?.content ?? 'Done'}</span>}
      </summary>
      <ol>
        {entries.map(({ content, status, priority }, index) => (
          <li key={`${index} ${content}`} className={`step ${status}`}>
            <span role="img" aria-label={status.replaceAll('_', ' ')}>
              {status === 'completed' ? (
                <Icon name="check" />
              ) : (
                <span className={status === 'in_progress' ? 'spinner' : 'open-step'} />
              )}
            </span>
            <span dir="auto">{content}</span>
            {priority === 'high' && <span className="badge">high</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
