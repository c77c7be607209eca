import type { EditionTypes, V1 } from './edition.ts';
import type { Side } from './side.ts';

/** The name of a method; without an edition, of a stable one. */
export type MethodName<E extends EditionTypes = V1> = keyof E['methods'] & string;

/** An extension method: its name starts with an underscore (protocol: Extensibility). */
export type ExtensionMethod = `_${string}`;

/** The requests a side handles. */
export type RequestMethod<S extends Side = Side, E extends EditionTypes = V1> = {
  [M in MethodName<E>]: E['methods'][M] extends { readonly side: S; readonly kind: 'request' } ? M : never;
}[MethodName<E>];

/** The notifications a side handles, without the protocol-level ones a peer handles by itself. */
export type NotificationMethod<S extends Side = Side, E extends EditionTypes = V1> = {
  [M in MethodName<E>]: E['methods'][M] extends { readonly side: S; readonly kind: 'notification' } ? M : never;
}[MethodName<E>];

/** A definition of an edition by its name, such as `AgentCapabilities`. */
export type DefinitionOf<Name extends string, E extends EditionTypes = V1> = E['definitions'][Name &
  keyof E['definitions']];

/** The parameters of a method. */
export type Params<M extends MethodName<E>, E extends EditionTypes = V1> = E['definitions'][E['methods'][M]['params'] &
  keyof E['definitions']];

/** The result of a request. */
export type Result<M extends MethodName<E>, E extends EditionTypes = V1> = E['definitions'][E['methods'][M]['result'] &
  keyof E['definitions']];
