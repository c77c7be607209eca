export { type LocalCommand, runLocally } from './commands/local-command.ts';
export type { ListeningAgent, ListenOptions } from './listen.ts';
export { serveAgent, type ServeOptions } from './serve-agent.ts';
export { sessionStore, type SessionStoreOptions } from './store/file-store.ts';
