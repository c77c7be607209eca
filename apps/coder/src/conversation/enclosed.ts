import { createHash } from 'node:crypto';

/**
 * A text between two marks. Both carry a digest of the text, so that no part of the text can look like its end: a text that contains
 * its own digest cannot be written. Equal texts get equal marks, which preserves the providers' prompt caches.
 */
export function enclosed(tag: string, about: Readonly<Record<string, string>>, text: string): string {
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `<${tag}${attributes({ ...about, id })}>\n${text}\n</${tag} id="${id}">`;
}

/** The attributes of an opening mark. A value cannot end it: quotes and line breaks are escaped. */
export function attributes(about: Readonly<Record<string, string>>): string {
  return Object.entries(about)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join('');
}
