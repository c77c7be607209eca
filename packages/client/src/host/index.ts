export { insideRoots } from './files/roots.ts';
export { localFiles, type LocalFilesOptions } from './files/local-files.ts';
export type {
  Host,
  HostContext,
  HostElicitation,
  HostFiles,
  HostService,
  HostTerminals,
  TerminalSnapshot,
} from './host.ts';
export { localTerminals, type LocalTerminalsOptions } from './terminals/local-terminals.ts';
