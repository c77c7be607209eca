import type { Transport } from '@turnwire/protocol';
import type { HandedPrompt, SessionClaim, SessionRecord } from '@turnwire/runtime';
import type { Principal } from './auth/principal.ts';

/** Sends prompts that have not started to another node. Rejects unless that node accepts all of them. */
export type SendPrompts = (prompts: readonly HandedPrompt[]) => Promise<void>;

/** Moves a session to another gateway with the same store. */
export interface SessionMove {
  /** Transfers the ownership. Rejects if the other node can no longer take the session, which then stays here. */
  readonly transfer: () => Promise<void>;
  /** Sends the prompts that have not started to the node that owns the session now. */
  readonly sendPrompts: SendPrompts;
}

/** A client whose sessions may be on several nodes. */
export interface RoutedClient {
  readonly principal: Principal;
  /** The name of the client's agent. */
  readonly agent: string;
  /** Whether this gateway has the session open. */
  readonly isOpenHere: (sessionId: string) => boolean;
  /** Whether the client's transport needs to know the kind of each frame and its session. */
  readonly needsFrameAbout: boolean;
}

/**
 * What a gateway needs from a cluster: the routing of clients to other nodes, and the ownership of sessions. The gateway knows nothing else about
 * other nodes. `GatewayNode` of `@turnwire/cluster` implements it with PostgreSQL.
 */
export interface ClusterNode {
  /** The transport through which this node serves a client. Messages about sessions of other nodes do not pass through it. */
  route(client: Transport, options: RoutedClient): Transport;
  /** Releases a session that ended here: the next node that needs it takes it. */
  release(claim: SessionClaim): Promise<void>;
  /** Stops taking sessions that this node does not own, because it is about to shut down. Does not reject. */
  beginDraining(): Promise<void>;
  /** Returns a function that sends prompts to the node that continues a session; undefined if no node can. Absent: other nodes cannot be reached. */
  readonly handOver?: ((session: SessionRecord) => SendPrompts | undefined) | undefined;
  /**
   * Prepares the move of a session to the node that a client with the scope `admin` names (`_turnwire/move`). Rejects with the ProtocolError to
   * answer with if the session cannot move there. Absent: sessions stay.
   */
  readonly move?: ((session: SessionRecord, to: string) => Promise<SessionMove>) | undefined;
}
