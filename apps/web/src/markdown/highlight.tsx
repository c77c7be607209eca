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

/** A part of a line of code, with the classes of its colour. */
export interface ColouredText {
  /** In UTF-16 units. */
  readonly length: number;
  readonly className?: string;
}

/** The colours of each line of a text, without its line ends. Undefined for an unknown language, or a name that no language has. */
export function colouredLines(code: string, language: string): readonly (readonly ColouredText[])[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  const lines: ColouredText[][] = [[]];
  const add = ({ value, properties, children = [] }: Node, outer: string): void => {
    const classes = `${outer} ${classesOf(properties)}`.trim();
    for (const child of children) add(child, classes);
    for (const [index, { length }] of (value ?? '').split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (length > 0) lines.at(-1)?.push({ length, ...(classes !== '' && { className: classes }) });
    }
  };
  for (const child of lowlight.highlight(language, code).children as readonly Node[]) add(child, '');
  return lines;
}

function classesOf(properties: Node['properties']): string {
  return Array.isArray(properties?.className) ? properties.className.join(' ') : '';
}

function drawn({ value, properties, children = [] }: Node, index: number): ReactNode {
  if (value !== undefined) return <VisibleText key={index} text={value} isProse />;
  return (
    <span key={index} className={classesOf(properties)}>
      {children.map(drawn)}
    </span>
  );
}
