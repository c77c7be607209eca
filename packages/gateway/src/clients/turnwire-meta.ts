import { turnwireMeta as ourMeta, type TurnwireMeta } from '@turnwire/protocol';

/**
 * Reads `_meta.turnwire` of a client's message. Its values are `unknown`, because they are not validated yet. Name the message as type argument to
 * have the compiler check the keys.
 */
export function turnwireMeta<Message extends keyof TurnwireMeta = never>(
  meta: Parameters<typeof ourMeta>[0],
): [Message] extends [never]
  ? Readonly<Record<string, unknown>>
  : { readonly [Key in keyof TurnwireMeta[Message]]?: unknown } {
  return ourMeta(meta) as ReturnType<typeof turnwireMeta<Message>>;
}
