export { SeveralValues } from './dialect.ts';
export type { Circumstances, Dialect, Reading, Recall, WireError } from './dialect.ts';
export { asideKey } from './keys.ts';
export { goReference, lenient, pharo, strict } from './profiles.ts';
