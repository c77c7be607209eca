import type { ReactNode } from 'react';

/** An error message of a user action, announced by screen readers. Nothing if the text is empty. */
export function Failure({ text }: { readonly text: string }): ReactNode {
  if (text === '') return null;
  return (
    <p role="alert" className="failure">
      {text}
    </p>
  );
}
