import { checks } from './generated/checks.ts';
import { shapes } from './generated/shapes.ts';
import type { Definitions } from './generated/types.ts';
import { methods } from './methods.ts';
import { type ParamGate, paramGates } from './gates.ts';
import type { Side } from './side.ts';
import type { Shapes } from './validation/shape.ts';

/** A row of a method table. */
export interface MethodRow {
  /** The side that handles it; `both` for methods of the connection itself. */
  readonly side: Side | 'both';
  readonly kind: 'request' | 'notification';
  /** The definition of its parameters. */
  readonly params: string;
  /** The definition of its result; notifications have none. */
  readonly result?: string;
  /**
   * Paths into the capabilities of the side that handles it: one of them must be advertised. The path `authMethods` of version 2 stands for
   * an agent that listed ways to log in. Absent: the method is always there.
   */
  readonly capability?: string | readonly string[];
}

/** The types of an edition: its version, its method table, and its definitions by name. */
export interface EditionTypes {
  readonly version: number;
  readonly methods: { readonly [method: string]: MethodRow };
  readonly definitions: object;
}

/** The stable methods of version 1, to the compiler. */
export interface V1 extends EditionTypes {
  readonly version: 1;
  readonly methods: typeof methods;
  readonly definitions: Definitions;
}

/**
 * One edition of the protocol, as data: its methods, checks, gates and rules of order, for both sides.
 * Without one a connection has {@link v1}.
 */
export interface Edition<E extends EditionTypes = EditionTypes> {
  /** The version that `initialize` agrees on. */
  readonly protocolVersion: number;
  readonly methods: E['methods'];
  /** A check for each definition. */
  readonly checks: Readonly<Record<string, (value: unknown) => boolean>>;
  /** The shapes by which values of a definition are repaired. */
  readonly shapes: Shapes;
  /** Checks of parameters against the capabilities, by method. */
  readonly paramGates: { readonly [method: string]: ParamGate };
  readonly ordering: Ordering;
  /** The class of a peer's handshake. Absent: the one with the rules of version 1. */
  readonly handshake?: new (...parts: never[]) => object;
  /** Never there: it lets the compiler infer the types of the edition. */
  readonly types?: E;
}

/**
 * The effect of a method on a session. `begins`: its answer names a new session, and updates that come before it are held back until the caller
 * knows the session. `opens`: it names a session to which updates may come from now on. `ends`: after it no more updates come.
 */
export type SessionEffect = 'begins' | 'opens' | 'ends';

/** Which methods have a part in the order of messages. A method that is in none is answered as soon as its handler is done. */
export interface Ordering {
  readonly effects: ReadonlyMap<string, SessionEffect>;
  /**
   * Their answer comes after the updates that belong to it, and is handed over behind these. In version 2 `session/prompt` is not one of
   * them: it is only acknowledged, and the end of the turn is an update.
   */
  readonly answersLast: ReadonlySet<string>;
}

/** The stable methods of version 1 of the protocol. */
export const v1: Edition<V1> = {
  protocolVersion: 1,
  methods,
  checks,
  shapes,
  paramGates,
  ordering: {
    effects: new Map<string, SessionEffect>([
      ['session/new', 'begins'],
      ['session/load', 'opens'],
      ['session/resume', 'opens'],
      ['session/close', 'ends'],
      ['session/delete', 'ends'],
    ]),
    answersLast: new Set(['session/prompt', 'session/load']),
  },
};
