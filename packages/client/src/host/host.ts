import type {
  ConfinedRun,
  CreateElicitationRequest,
  CreateElicitationResponse,
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalRequest,
  KillTerminalResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  ReleaseTerminalRequest,
  ReleaseTerminalResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '@turnwire/protocol';

/** The context of a request to a host service. */
export interface HostContext {
  /** The folders of the session: its working directory first, then the additional ones. Absolute. */
  readonly roots: readonly string[];
  /**
   * The real paths of these folders when the session began, symbolic links resolved: a folder that was replaced by a link since then is
   * refused. Undefined for a folder whose path could not be resolved. Absent: the current paths.
   */
  readonly realRoots?: readonly (string | undefined)[] | undefined;
  /** Aborts when the answer no longer matters: the agent cancelled the request, or the connection has ended. */
  readonly signal: AbortSignal;
  /** For `terminal/create`: the gate's replacement of the command. */
  readonly run?: ConfinedRun | undefined;
}

/** A host service: receives the request of an agent, resolves with the answer, rejects with the ProtocolError to send. */
export type HostService<Request, Response> = (request: Request, context: HostContext) => Response | Promise<Response>;

/** File access for the agent. Absent methods are not advertised, and refused. */
export interface HostFiles {
  /**
   * Rejects with the error to answer with if a request for a path could never be served, such as outside of the session's folders. Called before
   * a user is asked. The service may still refuse an admitted request. Default: all requests are admitted.
   */
  readonly admit?: HostService<ReadTextFileRequest | WriteTextFileRequest, void>;
  /** `fs/read_text_file`. */
  readonly readTextFile?: HostService<ReadTextFileRequest, ReadTextFileResponse>;
  /** `fs/write_text_file`. */
  readonly writeTextFile?: HostService<WriteTextFileRequest, WriteTextFileResponse>;
  /** The real path, symbolic links resolved; undefined if unknown. Called for the folders of a session when it begins. */
  readonly realPath?: (path: string) => string | undefined;
}

/** The current output of a terminal. */
export interface TerminalSnapshot extends TerminalOutputResponse {
  readonly terminalId: string;
  readonly sessionId: string;
  /** The command as a user would type it. */
  readonly command: string;
}

/** Terminals for the agent: all five methods of `terminal/*`, or the object is absent. */
export interface HostTerminals {
  /**
   * The shell that runs command lines, for permission rules that parse them. Absent: unknown, so only constructs that all shells parse
   * alike are certain.
   */
  readonly shell?:
    | {
        /** Absolute path of the program; on Windows the name `cmd.exe`. */
        readonly path: string;
        /** `bash`: as Bash 4 or later. `posix`: as some POSIX shell. `cmd`: as the shell of Windows. */
        readonly reads: 'bash' | 'posix' | 'cmd';
      }
    | undefined;
  /** The real path, as {@link HostFiles.realPath}. */
  readonly realPath?: ((path: string) => string | undefined) | undefined;
  /** As {@link HostFiles.admit}, for `terminal/create`. */
  readonly admit?: HostService<CreateTerminalRequest, void> | undefined;
  readonly create: HostService<CreateTerminalRequest, CreateTerminalResponse>;
  readonly output: HostService<TerminalOutputRequest, TerminalOutputResponse>;
  readonly waitForExit: HostService<WaitForTerminalExitRequest, WaitForTerminalExitResponse>;
  readonly kill: HostService<KillTerminalRequest, KillTerminalResponse>;
  readonly release: HostService<ReleaseTerminalRequest, ReleaseTerminalResponse>;
  /** Notifies of every change of any terminal, at most every few milliseconds for each. Returns a function that removes the listener. */
  watch(listener: (snapshot: TerminalSnapshot) => void): () => void;
  /** Ends and releases all terminals of a session; of all sessions if none is given. */
  releaseAll(sessionId?: string): Promise<void>;
}

/** Questions of the agent for the user. Absent modes are not advertised, and refused. */
export interface HostElicitation {
  /** Mode `form`. */
  readonly form?: HostService<CreateElicitationRequest, CreateElicitationResponse>;
  /** Mode `url`. Nothing is opened or fetched before the user consents. */
  readonly url?: HostService<CreateElicitationRequest, CreateElicitationResponse>;
  /** Called when the agent reports that the user has completed a page. */
  readonly complete?: (elicitationId: string) => void;
}

/** The services a client offers its agents. Exactly these are advertised. */
export interface Host {
  readonly files?: HostFiles | undefined;
  readonly terminals?: HostTerminals | undefined;
  readonly elicitation?: HostElicitation | undefined;
}
