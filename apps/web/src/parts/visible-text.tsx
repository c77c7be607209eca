import { isVariantOfEmoji, unseen } from '@turnwire/client/unseen-characters';
import type { ReactNode } from 'react';

/** Characters that look like a space and are none, and control characters other than tab and line break. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const odd = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\x00-\x08\x0b-\x1f\x7f-\x9f]/gu;
const either = new RegExp(`${unseen.source}|${odd.source}`, 'gu');

/** A text that the user has to judge: characters that are not seen, or turn the direction of others, are named in their place. */
export function VisibleText({ text }: { readonly text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(either)) {
    const after = text.slice(index + character.length, index + character.length + 2);
    if (isVariantOfEmoji(character, { before: text.slice(Math.max(0, index - 2), index), after })) continue;
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
    <bdi dir="ltr">
      {parts}
      {text.slice(end)}
    </bdi>
  );
}
