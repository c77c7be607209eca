import type { Transport } from '@turnwire/protocol';
import type { HandedPrompt, SessionClaim, SessionRecord } from '@turnwire/runtime';
import type { Principal } from './auth/principal.ts';

/** Gives prompts that have not begun to another node. Rejects if it does not take all of them. */
export type HandPrompts = (prompts: readonly HandedPrompt[]) => Promise<void>;

/** How a session goes to another gateway with the same store. */
export interface SessionMove {
  /** Makes it the other one's. Rejects if that one cannot have it any more: then it stays here. */
  readonly give: () => Promise<void>;
  /** Takes the prompts that have not begun to where the session is then. */
  readonly hand: HandPrompts;
}

/** A client whose sessions may be on several nodes. */
export interface RoutedClient {
  readonly principal: Principal;
  /** The name of the agent that the client speaks to. */
  readonly agent: string;
  /** Whether a session is open on this node. */
  readonly isOpenHere: (sessionId: string) => boolean;
  /** The client's transport has to know of each frame what it is. */
  readonly tellsSessions: boolean;
}

/**
 * What a gateway needs of a cluster in which it is one of several: which clients are led elsewhere, and how sessions come and go. The gateway
 * knows nothing else of other nodes. `GatewayNode` of `@turnwire/cluster` implements it with PostgreSQL.
 */
export interface ClusterNode {
  /** The transport by which this node serves a client: what concerns a session of another node does not come through it. */
  route(client: Transport, options: RoutedClient): Transport;
  /** Gives a session back that ended here: whichever node is asked for it next has it. */
  release(claim: SessionClaim): Promise<void>;
  /** Takes no session any more that it does not have, as this node is about to end. Does not reject. */
  beginDraining(): Promise<void>;
  /** What gives prompts to the node that goes on with a session; undefined if no node can. Absent: other nodes cannot be reached. */
  readonly handOver?: ((session: SessionRecord) => HandPrompts | undefined) | undefined;
  /**
   * How a session goes to the node that a client with the scope `admin` names (`_turnwire/move`). Rejects with the ProtocolError to answer with
   * if it cannot go there. Absent: sessions stay.
   */
  readonly move?: ((session: SessionRecord, to: string) => Promise<SessionMove>) | undefined;
}
