export { unstableChecks } from '../generated/unstable-checks.ts';
export { unstableShapes } from '../generated/unstable-shapes.ts';
export type * from '../generated/unstable-types.ts';
export { v1Unstable, type V1Unstable } from './edition.ts';
export { unstableMethods } from './methods.ts';
