import { type ReactNode, useState } from 'react';
import { Failure } from './failure.tsx';
import { Icon } from './icon.tsx';

/** How long the button shows the outcome, in milliseconds. */
const shownFor = { copied: 1_500, failed: 6_000 };

/** A button that copies a text to the clipboard. */
export function CopyButton({
  text,
  label,
}: {
  /** A function is called when the user clicks. */
  readonly text: string | (() => string);
  readonly label: string;
}): ReactNode {
  const [outcome, setOutcome] = useState<keyof typeof shownFor>();
  const copy = async (): Promise<void> => {
    const done = await written(text);
    setOutcome(done);
    setTimeout(() => setOutcome(undefined), shownFor[done]);
  };
  const isCopied = outcome === 'copied';
  return (
    <>
      <button
        type="button"
        className="bare copy"
        aria-label={isCopied ? 'Copied' : label}
        title={label}
        onClick={() => void copy()}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
      <Failure text={outcome === 'failed' ? 'Your browser did not allow copying. Select the text instead.' : ''} />
    </>
  );
}

async function written(text: string | (() => string)): Promise<'copied' | 'failed'> {
  try {
    // Pages without TLS have no clipboard at all.
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    return 'copied';
  } catch {
    return 'failed';
  }
}
