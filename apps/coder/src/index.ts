export { coderAgent } from './coder-agent.ts';
export type { CoderOptions } from './config/coder-options.ts';
export { logIn, logOut, models } from './command-line.ts';
export type { TerminalLogin } from './command-line/log-in-at-terminal.ts';
export { settingsSchema } from './config/settings-schema.ts';
export { offlineModel } from './model/offline/offline-model.ts';
export { serveCoder } from './serve-coder.ts';
export type { ServeCoderOptions } from './serve-coder.ts';
export type { SessionMemory } from './session/session-memory.ts';
