export { coderAgent } from './coder-agent.ts';
export type { CoderOptions } from './coder-options.ts';
export { offlineModel } from './model/offline/offline-model.ts';
export { serveCoder } from './serve-coder.ts';
export type { ServeCoderOptions } from './serve-coder.ts';
export type { SessionMemory } from './session/session-memory.ts';
