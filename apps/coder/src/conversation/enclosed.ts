import { createHash } from 'node:crypto';

/**
 * A text between two marks. Both carry a digest of the text, so that nothing in the text can be taken for the end of it: a text that holds
 * its own digest cannot be written. The same text gets the same marks, which keeps what providers cache of a prompt.
 */
export function enclosed(tag: string, about: Readonly<Record<string, string>>, text: string): string {
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `<${tag}${attributes({ ...about, id })}>\n${text}\n</${tag} id="${id}">`;
}

/** As they stand in an opening mark. A value cannot end it: quotes and line breaks are escaped. */
export function attributes(about: Readonly<Record<string, string>>): string {
  return Object.entries(about)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join('');
}
