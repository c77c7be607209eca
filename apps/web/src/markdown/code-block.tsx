import { type ReactNode, useEffect, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { VisibleText } from '../parts/visible-text.tsx';

/** Code longer than this is not highlighted, in UTF-16 units. */
const longest = 50_000;

/** A block of code, highlighted once it has stopped growing. */
export function CodeBlock({
  code,
  language,
  isGrowing,
}: {
  readonly code: string;
  readonly language: string;
  readonly isGrowing: boolean;
}): ReactNode {
  const [coloured, setColoured] = useState<{ readonly code: string; readonly drawn: ReactNode }>();
  const isWanted = !isGrowing && language !== '' && code.length <= longest;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    void import('./highlight.tsx').then(({ highlighted }) => {
      const drawn = highlighted(code, language);
      if (isCurrent && drawn !== undefined) setColoured({ code, drawn });
    });
    return () => void (isCurrent = false);
  }, [code, language, isWanted]);
  return (
    <figure className={language === '' ? 'code-block unnamed' : 'code-block'}>
      <figcaption>
        <span>{language}</span>
        <CopyButton text={code} label="Copy the code" />
      </figcaption>
      <pre dir="ltr" tabIndex={0}>
        <code>{coloured?.code === code ? coloured.drawn : <VisibleText text={code} isProse />}</code>
      </pre>
    </figure>
  );
}
