import type * as S from '../generated/v1-types.ts';
import { createTerminal, type TerminalHandle } from '../sessions/terminal-handle.ts';
import type { Stream } from '../streams/stream.ts';
import { edition } from '../editions/v1-edition.ts';
import { ClassConnection, type V1Wire } from './class-connection.ts';
import { type ClassConnectionOptions, connectImplementation } from './implementation.ts';
import type { Agent } from './interfaces.ts';
import { agentNotifications, agentRequests } from './members.ts';

/** An agent's end of a connection: calls the client, and passes its messages to the methods of an `Agent`. */
export class AgentSideConnection extends ClassConnection<V1Wire['clientRequests'], V1Wire['clientNotifications']> {
  /** @param toAgent makes the object that handles the messages of the client */
  constructor(
    toAgent: (connection: AgentSideConnection) => Agent,
    stream: Stream,
    { strip }: ClassConnectionOptions = {},
  ) {
    super();
    const side = { side: 'agent', edition, strip, requests: agentRequests, notifications: agentNotifications } as const;
    this.context = connectImplementation(toAgent(this), stream, side);
  }

  /** Sends an update of a session. */
  sessionUpdate(params: S.SessionNotification): Promise<void> {
    return this.notify('session/update', params);
  }

  /** Asks the user for a permission. */
  requestPermission(params: S.RequestPermissionRequest): Promise<S.RequestPermissionResponse> {
    return this.request('session/request_permission', params);
  }

  /** Reads a file of the client. */
  readTextFile(params: S.ReadTextFileRequest): Promise<S.ReadTextFileResponse> {
    return this.request('fs/read_text_file', params);
  }

  /** Writes a file of the client. */
  writeTextFile(params: S.WriteTextFileRequest): Promise<S.WriteTextFileResponse> {
    return this.request('fs/write_text_file', params);
  }

  /** Runs a command in a new terminal of the client. */
  createTerminal(params: S.CreateTerminalRequest): Promise<TerminalHandle> {
    return createTerminal(this.context, params);
  }

  /** Asks the user to fill in a form, or to open a page. */
  createElicitation(params: S.CreateElicitationRequest): Promise<S.CreateElicitationResponse> {
    return this.request('elicitation/create', params);
  }

  /** Reports that the user is done with a page. */
  completeElicitation(params: S.CompleteElicitationNotification): Promise<void> {
    return this.notify('elicitation/complete', params);
  }

  /** @deprecated Use `createElicitation`. */
  unstable_createElicitation(params: S.CreateElicitationRequest): Promise<S.CreateElicitationResponse> {
    return this.createElicitation(params);
  }

  /** @deprecated Use `completeElicitation`. */
  unstable_completeElicitation(params: S.CompleteElicitationNotification): Promise<void> {
    return this.completeElicitation(params);
  }
}
