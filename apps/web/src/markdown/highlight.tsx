import { common, createLowlight } from 'lowlight';
import type { ReactNode } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';

const lowlight = createLowlight(common);

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

/** Highlighted code, or undefined for an unknown language. */
export function highlighted(code: string, language: string): ReactNode | undefined {
  if (!lowlight.registered(language)) return undefined;
  return (lowlight.highlight(language, code).children as readonly Node[]).map(drawn);
}

function drawn({ value, properties, children = [] }: Node, index: number): ReactNode {
  if (value !== undefined) return <VisibleText key={index} text={value} isProse />;
  const classes = Array.isArray(properties?.className) ? properties.className.join(' ') : '';
  return (
    <span key={index} className={classes}>
      {children.map(drawn)}
    </span>
  );
}
