export { type PermissionFacts, permissionFacts, reportedFacts } from './permission-facts.ts';
export { shortPath } from './short-path.ts';
export { ago, callTime, duration, elapsed, isCallOver } from './times.ts';
export { asSentence, turnEndText } from './turn-end-text.ts';
