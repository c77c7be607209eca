import type { Definitions } from './generated/types.ts';
import type { methods } from './methods.ts';

type Table = typeof methods;

/** The name of a stable protocol method. */
export type MethodName = keyof Table;

/** One of the two ends of a connection. */
export type Side = 'agent' | 'client';

/** The other end. */
export type Opposite<S extends Side> = S extends 'agent' ? 'client' : 'agent';

/** A method of nobody's specification: its name starts with an underscore (protocol: Extensibility). */
export type ExtensionMethod = `_${string}`;

/** The requests a side handles. */
export type RequestMethod<S extends Side = Side> = {
  [M in MethodName]: Table[M] extends { readonly side: S; readonly kind: 'request' } ? M : never;
}[MethodName];

/** The notifications a side handles, without the protocol-level ones a peer handles by itself. */
export type NotificationMethod<S extends Side = Side> = {
  [M in MethodName]: Table[M] extends { readonly side: S; readonly kind: 'notification' } ? M : never;
}[MethodName];

/** The parameters of a method. */
export type Params<M extends MethodName> = Definitions[Table[M]['params']];

/** The result of a request. */
export type Result<M extends RequestMethod> = Definitions[Table[M]['result']];
