import { visible } from '../report/markup.ts';

/** Text of others on one line, without effect in Markdown. */
export function inMarkdown(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\|`*_[\]<>~#&!]/g, '\\$&');
}
