export type { HeldFile, HeldFolder, Holding } from './holding.ts';
export { holdingHere } from './holding-here.ts';
export { MovedError } from './moved-error.ts';
export { PathTurns } from './path-turns.ts';
export { type FilePlace, replaceFile, type Replacement } from './replace-file.ts';
export { isWindowsDevice } from './requested-path.ts';
