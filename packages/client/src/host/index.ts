export type {
  Host,
  HostContext,
  HostElicitation,
  HostFiles,
  HostService,
  HostTerminals,
  TerminalSnapshot,
} from './host.ts';
