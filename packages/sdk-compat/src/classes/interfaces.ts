import type * as U from '../generated/v1-unstable-types.ts';
import type * as S from '../generated/v1-types.ts';
import type { MaybePromise } from '../json-rpc/messages.ts';
import type * as D from './deprecated-types.ts';

/** Handlers for requests and notifications that the interfaces do not name. */
interface Extensions {
  /** Handles any other request. */
  extMethod?(method: string, params: Record<string, unknown>): MaybePromise<Record<string, unknown>>;
  /** Handles any other notification. */
  extNotification?(method: string, params: Record<string, unknown>): MaybePromise<void>;
}

/** The methods of an agent. Leave out those that it does not offer. */
export interface Agent extends Extensions {
  /** Agrees on the version, and exchanges capabilities. */
  initialize(params: S.InitializeRequest): MaybePromise<S.InitializeResponse>;
  /** Logs in with a method that the agent listed. */
  authenticate(params: S.AuthenticateRequest): MaybePromise<S.AuthenticateResponse | void>;
  /** Logs out. */
  logout?(params: S.LogoutRequest): MaybePromise<S.LogoutResponse | void>;
  /** Makes a session. */
  newSession(params: S.NewSessionRequest): MaybePromise<S.NewSessionResponse>;
  /** Opens a stored session, and sends its history first. */
  loadSession?(params: S.LoadSessionRequest): MaybePromise<S.LoadSessionResponse | void>;
  /** Lists stored sessions. */
  listSessions?(params: S.ListSessionsRequest): MaybePromise<S.ListSessionsResponse>;
  /** Deletes a stored session. */
  deleteSession?(params: S.DeleteSessionRequest): MaybePromise<S.DeleteSessionResponse | void>;
  /** Opens a stored session without its history. */
  resumeSession?(params: S.ResumeSessionRequest): MaybePromise<S.ResumeSessionResponse>;
  /** Ends a session, and the work in it. */
  closeSession?(params: S.CloseSessionRequest): MaybePromise<S.CloseSessionResponse | void>;
  /** Changes the mode of a session. */
  setSessionMode?(params: S.SetSessionModeRequest): MaybePromise<S.SetSessionModeResponse | void>;
  /** Changes an option of a session. */
  setSessionConfigOption?(params: S.SetSessionConfigOptionRequest): MaybePromise<S.SetSessionConfigOptionResponse>;
  /** Handles a prompt, until its turn ends. */
  prompt(params: S.PromptRequest): MaybePromise<S.PromptResponse>;
  /** Stops the turn of a session. */
  cancel(params: S.CancelNotification): MaybePromise<void>;
  /** Makes a session from another one. Unstable. */
  unstable_forkSession?(params: U.ForkSessionRequest): MaybePromise<U.ForkSessionResponse>;
  /** Lists the providers of models. Unstable. */
  unstable_listProviders?(params: U.ListProvidersRequest): MaybePromise<U.ListProvidersResponse>;
  /** Changes a provider of models. Unstable. */
  unstable_setProvider?(params: U.SetProviderRequest): MaybePromise<U.SetProviderResponse | void>;
  /** Disables a provider of models. Unstable. */
  unstable_disableProvider?(params: U.DisableProviderRequest): MaybePromise<U.DisableProviderResponse | void>;
  /** @deprecated Use `listSessions`. */
  unstable_listSessions?(params: S.ListSessionsRequest): MaybePromise<S.ListSessionsResponse>;
  /** @deprecated Use `resumeSession`. */
  unstable_resumeSession?(params: S.ResumeSessionRequest): MaybePromise<S.ResumeSessionResponse>;
  /** @deprecated Use `closeSession`. */
  unstable_closeSession?(params: S.CloseSessionRequest): MaybePromise<S.CloseSessionResponse | void>;
  /** @deprecated Use `deleteSession`. */
  unstable_deleteSession?(params: S.DeleteSessionRequest): MaybePromise<S.DeleteSessionResponse | void>;
  /** @deprecated Use `logout`. */
  unstable_logout?(params: S.LogoutRequest): MaybePromise<S.LogoutResponse | void>;
  /** @deprecated Use `setSessionConfigOption`. */
  unstable_setSessionConfigOption?(
    params: S.SetSessionConfigOptionRequest,
  ): MaybePromise<S.SetSessionConfigOptionResponse>;
  /** @deprecated Use an option of the session. */
  unstable_setSessionModel?(params: D.SetSessionModelRequest): MaybePromise<D.SetSessionModelResponse | void>;
  /** @deprecated Use an option of the session. */
  setSessionModel?(params: D.SetSessionModelRequest): Promise<D.SetSessionModelResponse | void>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_startNes?(params: never): MaybePromise<unknown>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_suggestNes?(params: never): MaybePromise<unknown>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_closeNes?(params: never): MaybePromise<unknown>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didOpenDocument?(params: never): MaybePromise<void>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didChangeDocument?(params: never): MaybePromise<void>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didCloseDocument?(params: never): MaybePromise<void>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didSaveDocument?(params: never): MaybePromise<void>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didFocusDocument?(params: never): MaybePromise<void>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_acceptNes?(params: never): MaybePromise<void>;
  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_rejectNes?(params: never): MaybePromise<void>;
}

/** The methods of a client. Leave out those that it does not offer. */
export interface Client extends Extensions {
  /** Asks the user for a permission. */
  requestPermission(params: S.RequestPermissionRequest): MaybePromise<S.RequestPermissionResponse>;
  /** Receives an update of a session. */
  sessionUpdate(params: S.SessionNotification): MaybePromise<void>;
  /** Writes a file. */
  writeTextFile?(params: S.WriteTextFileRequest): MaybePromise<S.WriteTextFileResponse | void>;
  /** Reads a file. */
  readTextFile?(params: S.ReadTextFileRequest): MaybePromise<S.ReadTextFileResponse>;
  /** Runs a command. */
  createTerminal?(params: S.CreateTerminalRequest): MaybePromise<S.CreateTerminalResponse>;
  /** Returns the output of a command. */
  terminalOutput?(params: S.TerminalOutputRequest): MaybePromise<S.TerminalOutputResponse>;
  /** Ends a command, and frees its terminal. */
  releaseTerminal?(params: S.ReleaseTerminalRequest): MaybePromise<S.ReleaseTerminalResponse | void>;
  /** Waits for the end of a command. */
  waitForTerminalExit?(params: S.WaitForTerminalExitRequest): MaybePromise<S.WaitForTerminalExitResponse>;
  /** Ends a command. */
  killTerminal?(params: S.KillTerminalRequest): MaybePromise<S.KillTerminalResponse | void>;
  /** Asks the user to fill in a form, or to open a page. */
  createElicitation?(params: S.CreateElicitationRequest): MaybePromise<S.CreateElicitationResponse>;
  /** Reports that the user is done with a page. */
  completeElicitation?(params: S.CompleteElicitationNotification): MaybePromise<void>;
  /** @deprecated Use `createElicitation`. */
  unstable_createElicitation?(params: S.CreateElicitationRequest): MaybePromise<S.CreateElicitationResponse>;
  /** @deprecated Use `completeElicitation`. */
  unstable_completeElicitation?(params: S.CompleteElicitationNotification): MaybePromise<void>;
}
