import type { TranscriptView } from '@turnwire/client/transcript';
import { type ChildNode, flatTree, runningChildren } from '@turnwire/client/view';
import { type ReactNode, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { CancelButton } from './background.tsx';

/** The subagents that run, as a tree above the editor. */
export function Children({ view }: { readonly view: TranscriptView }): ReactNode {
  const [isOpen, setOpen] = useState(true);
  const nodes = runningChildren(view);
  if (nodes.length === 0) return null;
  const all = flatTree(nodes);
  const running = all.filter(({ node }) => !node.isOver).length;
  return (
    <details className="children" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Subagents: {running} running{running < all.length && `, ${all.length - running} ended`}
      </summary>
      <Tree nodes={nodes} label="Subagents" />
    </details>
  );
}

function Tree({ nodes, label }: { readonly nodes: readonly ChildNode[]; readonly label: string }): ReactNode {
  return (
    <ul aria-label={label}>
      {nodes.map((node) => (
        <Node key={node.key} node={node} />
      ))}
    </ul>
  );
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function Node({ node }: { readonly node: ChildNode }): ReactNode {
  const { title, name, stateText, isOver, isFailure, action, tokens, cost, cancel, children } = node;
  return (
    <li className={isOver ? 'over' : 'running'}>
      <div className="child-node">
        <span className="tool-state" role="img" aria-label={stateText}>
          {isOver ? <Icon name={isFailure ? 'cross' : 'check'} /> : <span className="spinner" />}
        </span>
        <span className="child-title" dir="auto">
          <VisibleText text={title} isProse />
        </span>
        {name !== undefined && (
          <span className="badge">
            <VisibleText text={name} isProse />
          </span>
        )}
        <span className="faint">
          <VisibleText text={stateText} isProse />
        </span>
        {tokens !== undefined && <span className="faint">{short.format(tokens)} tokens</span>}
        {cost && (
          <span className="faint">
            {Number(cost.amount.toFixed(4))} {cost.currency}
          </span>
        )}
        {cancel && <CancelButton work={cancel} name={title} />}
        {action !== '' && (
          <span className="child-line faint">
            <VisibleText text={action} isProse />
          </span>
        )}
      </div>
      {children.length > 0 && <Tree nodes={children} label={`Subagents of ${title}`} />}
    </li>
  );
}
