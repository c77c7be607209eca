import type { ContentBlock } from '@turnwire/protocol';

/** A prompt without the command it begins with; attachments stay. */
export function promptAfterCommand([first, ...rest]: readonly ContentBlock[]): readonly ContentBlock[] {
  if (first?.type !== 'text') return rest;
  const text = first.text.replace(/^\s*\/\S+\s*/u, '');
  return text === '' ? rest : [{ ...first, text }, ...rest];
}
