export { v2UnstableChecks } from '../../generated/v2-unstable-checks.ts';
export { v2UnstableShapes } from '../../generated/v2-unstable-shapes.ts';
export type * from '../../generated/v2-unstable-types.ts';
export { v2Unstable, type V2Unstable } from './edition.ts';
export { v2UnstableMethods } from './methods.ts';
