import editions from './other-editions.json' with { type: 'json' };
import type { Definition } from '../definition-of.ts';

/** Methods of drafts and of earlier editions of the protocol. Nobody is blamed for them. */
export const everMethods: ReadonlySet<string> = new Set(editions.methods);

/**
 * What else drafts and earlier editions have, and pages that show it, such as `modeId` on that about modes; the type of a stdio server, which
 * the SDK takes off again; and what a setter of a value may name.
 */
const everKeys: { readonly [type in Definition]?: readonly string[] } = editions.keys;
const everTags: ReadonlySet<string> = new Set(editions.tags);

/** Whether a draft or an earlier edition has a key there. Schemas of forms may use any word of JSON Schema. */
export function isEverKey(type: Definition, key: string): boolean {
  return /PropertySchema$|SelectItems$|^EnumOption$/.test(type) || everKeys[type]?.includes(key) === true;
}

/** Whether a draft or an earlier edition has a variant of that name; or it is a custom one, with an underscore. */
export function isEverTag(tag: string): boolean {
  return tag.startsWith('_') || everTags.has(tag);
}
