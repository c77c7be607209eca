import { type Edition, type EditionTypes, v1 } from '../edition.ts';
import { unstableChecks } from '../generated/unstable-checks.ts';
import { unstableShapes } from '../generated/unstable-shapes.ts';
import type { Definitions } from '../generated/unstable-types.ts';
import { unstableMethods } from './methods.ts';

/** Version 1 with its unstable methods, to the compiler. */
export interface V1Unstable extends EditionTypes {
  readonly version: 1;
  readonly methods: typeof unstableMethods;
  readonly definitions: Definitions;
}

/**
 * Version 1 of the protocol with its unstable methods, as they are in the schema of the official SDK 2.4.0. They may change or go with any
 * release of this package, and agents and clients that do not know them are many: look at the capabilities of the other side.
 *
 * @example
 * const agent = connectClient(transport, handlers, { edition: v1Unstable });
 * const { status } = await agent.request('session/status', { sessionId });
 */
export const v1Unstable: Edition<V1Unstable> = {
  protocolVersion: v1.protocolVersion,
  methods: unstableMethods,
  checks: unstableChecks,
  shapes: unstableShapes,
  paramGates: {
    ...v1.paramGates,
    ...(v1.paramGates['session/new'] && { 'session/fork': v1.paramGates['session/new'] }),
  },
  ordering: { ...v1.ordering, effects: new Map([...v1.ordering.effects, ['session/fork', 'begins']]) },
};
