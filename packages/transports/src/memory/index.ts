export type { MemoryLimits, MemoryTransport } from './memory-pair.ts';
export { memoryPair } from './memory-pair.ts';
