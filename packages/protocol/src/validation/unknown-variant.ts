/**
 * The tag of a variant this version of the protocol does not know. At run time it is any string; as a type it is one
 * that no known tag matches, so that a `switch` over the known tags narrows and a mistyped tag does not compile.
 */
export type UnknownTag = `${string} (unknown variant)`;

/** A member of an open union whose tag is not known: kept as it came, so that it can be passed on. */
export type UnknownVariant<K extends string> = { readonly [P in K]: UnknownTag } & { readonly [key: string]: unknown };
