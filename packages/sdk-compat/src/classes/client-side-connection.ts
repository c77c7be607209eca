import type * as U from '../generated/v1-unstable-types.ts';
import type * as S from '../generated/v1-types.ts';
import type * as D from './deprecated-types.ts';
import { edition, knownUpdates } from '../editions/v1-edition.ts';
import type { Stream } from '../streams/stream.ts';
import { ClassConnection, type V1Wire } from './class-connection.ts';
import { type ClassConnectionOptions, connectImplementation } from './implementation.ts';
import type { Agent, Client } from './interfaces.ts';
import { clientNotifications, clientRequests } from './members.ts';

/** A client's end of a connection: calls the agent, and passes its messages to the methods of a `Client`. */
export class ClientSideConnection
  extends ClassConnection<V1Wire['agentRequests'], V1Wire['agentNotifications']>
  implements Agent
{
  /** @param toClient makes the object that handles the messages of the agent */
  constructor(toClient: (agent: Agent) => Client, stream: Stream, { strip }: ClassConnectionOptions = {}) {
    super();
    const side = {
      side: 'client',
      edition,
      strip,
      knownUpdates,
      requests: clientRequests,
      notifications: clientNotifications,
    } as const;
    this.context = connectImplementation(toClient(this), stream, side);
  }

  /** Agrees on the version, and exchanges capabilities. */
  initialize(params: S.InitializeRequest): Promise<S.InitializeResponse> {
    return this.request('initialize', params);
  }

  /** Logs in with a method that the agent listed. */
  authenticate(params: S.AuthenticateRequest): Promise<S.AuthenticateResponse> {
    return this.request('authenticate', params);
  }

  /** Logs out. */
  logout(params: S.LogoutRequest): Promise<S.LogoutResponse> {
    return this.request('logout', params);
  }

  /** Makes a session. */
  newSession(params: S.NewSessionRequest): Promise<S.NewSessionResponse> {
    return this.request('session/new', params);
  }

  /** Opens a stored session, and sends its history first. */
  loadSession(params: S.LoadSessionRequest): Promise<S.LoadSessionResponse> {
    return this.request('session/load', params);
  }

  /** Lists stored sessions. */
  listSessions(params: S.ListSessionsRequest): Promise<S.ListSessionsResponse> {
    return this.request('session/list', params);
  }

  /** Deletes a stored session. */
  deleteSession(params: S.DeleteSessionRequest): Promise<S.DeleteSessionResponse> {
    return this.request('session/delete', params);
  }

  /** Opens a stored session without its history. */
  resumeSession(params: S.ResumeSessionRequest): Promise<S.ResumeSessionResponse> {
    return this.request('session/resume', params);
  }

  /** Ends a session, and the work in it. */
  closeSession(params: S.CloseSessionRequest): Promise<S.CloseSessionResponse> {
    return this.request('session/close', params);
  }

  /** Changes the mode of a session. */
  setSessionMode(params: S.SetSessionModeRequest): Promise<S.SetSessionModeResponse> {
    return this.request('session/set_mode', params);
  }

  /** Changes an option of a session. */
  setSessionConfigOption(params: S.SetSessionConfigOptionRequest): Promise<S.SetSessionConfigOptionResponse> {
    return this.request('session/set_config_option', params);
  }

  /** Handles a prompt, until its turn ends. */
  prompt(params: S.PromptRequest): Promise<S.PromptResponse> {
    return this.request('session/prompt', params);
  }

  /** Stops the turn of a session. */
  cancel(params: S.CancelNotification): Promise<void> {
    return this.notify('session/cancel', params);
  }

  /** Makes a session from another one. Unstable. */
  unstable_forkSession(params: U.ForkSessionRequest): Promise<U.ForkSessionResponse> {
    return this.request('session/fork', params);
  }

  /** Lists the providers of models. Unstable. */
  unstable_listProviders(params: U.ListProvidersRequest): Promise<U.ListProvidersResponse> {
    return this.request('providers/list', params);
  }

  /** Changes a provider of models. Unstable. */
  unstable_setProvider(params: U.SetProviderRequest): Promise<U.SetProviderResponse> {
    return this.request('providers/set', params);
  }

  /** Disables a provider of models. Unstable. */
  unstable_disableProvider(params: U.DisableProviderRequest): Promise<U.DisableProviderResponse> {
    return this.request('providers/disable', params);
  }

  /** @deprecated Use `listSessions`. */
  unstable_listSessions(params: S.ListSessionsRequest): Promise<S.ListSessionsResponse> {
    return this.request('session/list', params);
  }

  /** @deprecated Use `resumeSession`. */
  unstable_resumeSession(params: S.ResumeSessionRequest): Promise<S.ResumeSessionResponse> {
    return this.request('session/resume', params);
  }

  /** @deprecated Use `closeSession`. */
  unstable_closeSession(params: S.CloseSessionRequest): Promise<S.CloseSessionResponse> {
    return this.request('session/close', params);
  }

  /** @deprecated Use `deleteSession`. */
  unstable_deleteSession(params: S.DeleteSessionRequest): Promise<S.DeleteSessionResponse> {
    return this.request('session/delete', params);
  }

  /** @deprecated Use `logout`. */
  unstable_logout(params: S.LogoutRequest): Promise<S.LogoutResponse> {
    return this.request('logout', params);
  }

  /** @deprecated Use `setSessionConfigOption`. */
  unstable_setSessionConfigOption(params: S.SetSessionConfigOptionRequest): Promise<S.SetSessionConfigOptionResponse> {
    return this.request('session/set_config_option', params);
  }

  /** @deprecated Use an option of the session. */
  unstable_setSessionModel(params: D.SetSessionModelRequest): Promise<D.SetSessionModelResponse> {
    return this.request('session/set_model', params);
  }

  /** @deprecated Use an option of the session. */
  setSessionModel(params: D.SetSessionModelRequest): Promise<D.SetSessionModelResponse> {
    return this.request('session/set_model', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_startNes(params: object): Promise<unknown> {
    return this.request('nes/start', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_suggestNes(params: object): Promise<unknown> {
    return this.request('nes/suggest', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_closeNes(params: object): Promise<unknown> {
    return this.request('nes/close', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didOpenDocument(params: object): Promise<void> {
    return this.notify('document/didOpen', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didChangeDocument(params: object): Promise<void> {
    return this.notify('document/didChange', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didCloseDocument(params: object): Promise<void> {
    return this.notify('document/didClose', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didSaveDocument(params: object): Promise<void> {
    return this.notify('document/didSave', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_didFocusDocument(params: object): Promise<void> {
    return this.notify('document/didFocus', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_acceptNes(params: object): Promise<void> {
    return this.notify('nes/accept', params);
  }

  /** @deprecated The protocol does not define suggestions for edits any more. */
  unstable_rejectNes(params: object): Promise<void> {
    return this.notify('nes/reject', params);
  }
}
