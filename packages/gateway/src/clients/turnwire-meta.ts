import { turnwireMeta as ourMeta, type TurnwireMeta } from '@turnwire/protocol';

/**
 * Reads `_meta.turnwire` of a client's message. Its values have the type `unknown`, since nothing has checked them. Name the message to have its
 * keys checked by the compiler.
 */
export function turnwireMeta<Place extends keyof TurnwireMeta = never>(
  meta: Parameters<typeof ourMeta>[0],
): [Place] extends [never]
  ? Readonly<Record<string, unknown>>
  : { readonly [Key in keyof TurnwireMeta[Place]]?: unknown } {
  return ourMeta(meta) as ReturnType<typeof turnwireMeta<Place>>;
}
