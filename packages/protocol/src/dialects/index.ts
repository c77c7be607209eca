export { SeveralValues } from './dialect.ts';
export type { DialectContext, Dialect, Reading, SessionLookup } from './dialect.ts';
export { asideKey } from './keys.ts';
export { goReference, lenient, lenientAgent, lenientClient, pharo, strict } from './profiles.ts';
