import type { ReactNode } from 'react';

/** Why something that the user asked for failed; announced. Nothing while there is no text. */
export function Failure({ text }: { readonly text: string }): ReactNode {
  if (text === '') return null;
  return (
    <p role="alert" className="failure">
      {text}
    </p>
  );
}
