import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';

/** How long it says that it has copied, in milliseconds. */
const shownFor = 1_500;

/** Copies a text. */
export function CopyButton({ text }: { readonly text: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownFor);
  };
  return (
    <button type="button" className="bare copy" aria-label={isCopied ? 'Copied' : 'Copy'} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}
