import type {
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

/** What a host service may know besides the request. */
export interface HostContext {
  /** The folders of the session: its working directory first, then the additional ones. Absolute. */
  readonly roots: readonly string[];
  /**
   * Where these folders really were when the session began, symbolic links resolved: a folder that was replaced by a link since then is
   * refused. Undefined for one of which that could not be found out. Absent: where they are now.
   */
  readonly realRoots?: readonly (string | undefined)[] | undefined;
  /** Aborts when the answer no longer matters: the agent took the request back, or the connection is over. */
  readonly signal: AbortSignal;
}

/** A host service: takes the request of an agent, resolves with the answer, rejects with the ProtocolError to send. */
export type HostService<Request, Response> = (request: Request, context: HostContext) => Response | Promise<Response>;

/** Files for the agent. What is absent is not advertised, and refused. */
export interface HostFiles {
  /** `fs/read_text_file`. */
  readonly readTextFile?: HostService<ReadTextFileRequest, ReadTextFileResponse>;
  /** `fs/write_text_file`. */
  readonly writeTextFile?: HostService<WriteTextFileRequest, WriteTextFileResponse>;
  /** Where a path really leads, symbolic links resolved; undefined if that cannot be known. Asked of the folders of a session when it begins. */
  readonly realPath?: (path: string) => string | undefined;
}

/** What a terminal shows at the moment. */
export interface TerminalSnapshot extends TerminalOutputResponse {
  readonly terminalId: string;
  readonly sessionId: string;
  /** The command as a user would type it. */
  readonly command: string;
}

/** Terminals for the agent: all five methods of `terminal/*`, or the object is absent. */
export interface HostTerminals {
  /** The shell that runs whole lines, for rules that read them. Absent: not known, so only what all shells read alike is certain. */
  readonly shell?: {
    /** Absolute path of the program; on Windows the name `cmd.exe`. */
    readonly path: string;
    /** `bash`: as Bash 4 or later. `posix`: as some POSIX shell. `cmd`: as the shell of Windows. */
    readonly reads: 'bash' | 'posix' | 'cmd';
  };
  /** Where a path really leads, as {@link HostFiles.realPath}. */
  readonly realPath?: (path: string) => string | undefined;
  readonly create: HostService<CreateTerminalRequest, CreateTerminalResponse>;
  readonly output: HostService<TerminalOutputRequest, TerminalOutputResponse>;
  readonly waitForExit: HostService<WaitForTerminalExitRequest, WaitForTerminalExitResponse>;
  readonly kill: HostService<KillTerminalRequest, KillTerminalResponse>;
  readonly release: HostService<ReleaseTerminalRequest, ReleaseTerminalResponse>;
  /** Hears of every change of any terminal, at most every few milliseconds for each. Returns how to stop hearing. */
  watch(listener: (snapshot: TerminalSnapshot) => void): () => void;
  /** Ends and releases everything a session has; all sessions if none is named. */
  releaseAll(sessionId?: string): Promise<void>;
}

/** Questions the agent asks the user. The modes that are absent are not advertised, and refused. */
export interface HostElicitation {
  /** Mode `form`. */
  readonly form?: HostService<CreateElicitationRequest, CreateElicitationResponse>;
  /** Mode `url`. Nothing is opened or fetched before the user consents. */
  readonly url?: HostService<CreateElicitationRequest, CreateElicitationResponse>;
  /** The agent says that what it asked for by URL is done. */
  readonly complete?: (elicitationId: string) => void;
}

/** What the client offers its agents. Exactly what is here is advertised. */
export interface Host {
  readonly files?: HostFiles | undefined;
  readonly terminals?: HostTerminals | undefined;
  readonly elicitation?: HostElicitation | undefined;
}
