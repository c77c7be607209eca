import type { Edition, EditionTypes } from '../../edition.ts';
import { v2UnstableChecks } from '../../generated/v2-unstable-checks.ts';
import { v2UnstableShapes } from '../../generated/v2-unstable-shapes.ts';
import type { Definitions } from '../../generated/v2-unstable-types.ts';
import { v2 } from '../edition.ts';
import { refuseSetup } from '../gates.ts';
import { NegotiatingHandshake } from '../handshake.ts';
import { v2UnstableMethods } from './methods.ts';

/** Version 2 with its unstable methods, to the compiler. */
export interface V2Unstable extends EditionTypes {
  readonly version: 2;
  readonly methods: typeof v2UnstableMethods;
  readonly definitions: Definitions;
}

/** Version 2 of the protocol with its unstable methods, as they are in the schema of the official SDK 2.4.0. They may change or go with any release. */
export const v2Unstable: Edition<V2Unstable> = {
  protocolVersion: v2.protocolVersion,
  methods: v2UnstableMethods,
  checks: v2UnstableChecks,
  shapes: v2UnstableShapes,
  paramGates: { ...v2.paramGates, 'session/fork': refuseSetup },
  ordering: { ...v2.ordering, effects: new Map([...v2.ordering.effects, ['session/fork', 'begins']]) },
  handshake: NegotiatingHandshake,
};
