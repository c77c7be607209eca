import { hiddenCharacters, isExpected, isVariantOfEmoji } from '@turnwire/client/unseen-characters';
import type { ReactNode } from 'react';

/** A text that the user judges. Characters that are invisible or change the direction of text are replaced by their code. */
export function VisibleText({
  text,
  isProse = false,
}: {
  readonly text: string;
  /** Whether the text may be in any language: it has its own direction, and keeps the joiners that its script needs. */
  readonly isProse?: boolean;
}): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { character, index } of hiddenCharacters(text, isProse ? isExpected : isVariantOfEmoji)) {
    const code = character.codePointAt(0) ?? 0;
    parts.push(
      text.slice(end, index),
      <mark key={index} className="named">
        U+{code.toString(16).toUpperCase().padStart(4, '0')}
      </mark>,
    );
    end = index + character.length;
  }
  return (
    <bdi dir={isProse ? 'auto' : 'ltr'}>
      {parts}
      {text.slice(end)}
    </bdi>
  );
}
