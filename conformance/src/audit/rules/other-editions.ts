import editions from './other-editions.json' with { type: 'json' };

/** Methods of drafts and earlier editions of the protocol. Using them is not a fault. */
export const otherMethods: ReadonlySet<string> = new Set(editions.methods);

/**
 * Further keys that are not faults: from drafts and earlier editions; from documentation pages, such as `modeId` on the page about modes;
 * the type of a stdio server, which the SDK removes again; and optional names in requests that set a value.
 */
const otherKeys: { readonly [type: string]: readonly string[] } = editions.keys;
const otherTags: ReadonlySet<string> = new Set(editions.tags);

/** Whether a draft or an earlier edition has this key in this type. Form schemas may use every keyword of JSON Schema. */
export function isOtherKey(type: string, key: string): boolean {
  return /PropertySchema$|SelectItems$|^EnumOption$/.test(type) || otherKeys[type]?.includes(key) === true;
}

/** Whether a draft or an earlier edition has this variant, or it is a custom one with an underscore. */
export function isOtherTag(tag: string): boolean {
  return tag.startsWith('_') || otherTags.has(tag);
}
