import type { ReactNode } from 'react';
import { VisibleText } from './visible-text.tsx';

/** A text with its matches marked. */
export function MarkedText({
  text,
  marks,
}: {
  readonly text: string;
  /** The beginning and the end of each match, in order. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const [from, to] of marks) {
    parts.push(
      <VisibleText key={end} text={text.slice(end, from)} isProse />,
      <mark key={`${from}-`} className="match">
        <VisibleText text={text.slice(from, to)} isProse />
      </mark>,
    );
    end = to;
  }
  return (
    <>
      {parts}
      <VisibleText text={text.slice(end)} isProse />
    </>
  );
}
