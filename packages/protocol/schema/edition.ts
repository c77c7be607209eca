import { definitions } from './definitions.ts';
import type { Schema } from './language.ts';
import { partsOf, unstableDefinitions } from './unstable.ts';

/** The definitions that are written into the files of one edition of the protocol. */
export interface EditionSchema {
  /** Before the name of each of its files. */
  readonly prefix: '' | 'unstable-';
  readonly definitions: { readonly [name: string]: Schema };
}

export const stableEdition: EditionSchema = { prefix: '', definitions };
export const unstableEdition: EditionSchema = { prefix: 'unstable-', definitions: unstableDefinitions };

const names = new Map([definitions, unstableDefinitions].flatMap((each) => Object.entries(each)).map(([name, schema]) => [schema, name]));

/** The name of a definition; `undefined` for a schema without one. */
export function nameOf(schema: Schema): string | undefined {
  return names.get(schema);
}

/** The names an edition mentions and takes from the stable one. */
export function borrowedNames(edition: EditionSchema): readonly string[] {
  return [...new Set(Object.values(edition.definitions).flatMap(mentioned))]
    .filter((name) => !Object.hasOwn(edition.definitions, name))
    .toSorted();
}

function mentioned(schema: Schema): readonly string[] {
  return partsOf(schema).flatMap((part) => nameOf(part) ?? mentioned(part));
}
