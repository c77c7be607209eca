import { connectClient, invalidParams, protocolVersion, type TurnwireMeta } from '@turnwire/protocol';
import { isInside } from '@turnwire/machine';
import { type SessionMove } from '@turnwire/gateway';
import { type SessionRecord, StoreError } from '@turnwire/runtime';
import { Database } from '../postgres/database.ts';
import { sendPrompts } from './send-prompts.ts';
import { linkTransport } from './node-link.ts';
import { nodesOf } from './node-lease.ts';
import type { NodeState } from './node-state.ts';

/** The session to move, and its target. */
export interface MoveOrder {
  /** The URL of the database. */
  readonly url: string;
  /** The shared secret of all nodes. */
  readonly secret: string;
  readonly sessionId: string;
  /** The number of a node, or its address. */
  readonly to: string;
  /** Time limit for a running turn, which is then ended. */
  readonly seconds: number;
}

interface MovedSession {
  readonly tenant: string;
  readonly agent: string;
  readonly cwd: string;
  readonly node: string | null;
}

/** Makes the node that has a session move it to another one. Rejects with a StoreError, or the error of that node. Resolves with the other node. */
export async function moveSession({ url, secret, sessionId, to, seconds }: MoveOrder): Promise<NodeState> {
  const database = new Database({ url, timeout: 0, connections: 1 });
  try {
    const nodes = await nodesOf(database);
    // The holder of the database and the secret may act for every tenant.
    const [session] = await database.query<MovedSession>(
      'SELECT tenant, agent, cwd, node FROM turnwire_sessions WHERE id = $1',
      [sessionId],
    );
    if (!session) throw new StoreError('not-found', `there is no session ${sessionId}`);
    const target = targetOf(session, { to, nodes });
    const owner = nodes.find(({ number }) => number === session.node);
    if (owner?.number === target.number) return target;
    if (owner) await askOwner(owner, { ...session, secret, params: { sessionId, to: target.number, seconds } });
    else await transfer(database, { id: sessionId, tenant: session.tenant, from: session.node, to: target.number });
    return target;
  } finally {
    await database.close();
  }
}

/** Prepares the move of a session from this node to another one. Throws the ProtocolError to answer with if the target cannot have it. */
export function sessionMove(
  session: SessionRecord,
  {
    database,
    nodes,
    own,
    to,
    secret,
  }: {
    readonly database: Database;
    readonly nodes: readonly NodeState[];
    /** The number of the node that has it. */
    readonly own: string;
    readonly to: string;
    readonly secret: string;
  },
): SessionMove {
  const target = targetOf(session, { to, nodes });
  if (target.number === own) throw invalidParams(`The session ${session.id} is on this server already`);
  let owner = nodes.find(({ number }) => number === own);
  return {
    transfer: async () => {
      await transfer(database, { id: session.id, tenant: session.tenant, from: own, to: target.number });
      owner = target;
    },
    sendPrompts: async (prompts) => {
      if (owner?.address) await sendPrompts({ address: owner.address, secret }, session, prompts);
    },
  };
}

function targetOf(
  { agent, cwd }: { readonly agent: string; readonly cwd: string },
  { to, nodes }: { readonly to: string; readonly nodes: readonly NodeState[] },
): NodeState {
  const target = nodes.find(({ number, address }) => number === to || address === to);
  if (!target || target.isDraining || target.address === null)
    throw invalidParams(`There is no server ${to} that takes sessions: turnwire serve status lists them`);
  if (!target.agents.includes(agent)) throw invalidParams(`The server ${to} does not have the agent ${agent}`);
  if (!target.roots.some((root) => isInside(root, cwd)))
    throw invalidParams(`${cwd} is outside the folders that the server ${to} works in`);
  return target;
}

async function transfer(
  database: Database,
  {
    id,
    tenant,
    from,
    to,
  }: { readonly id: string; readonly tenant: string; readonly from: string | null; readonly to: string },
): Promise<void> {
  const rows = await database.query(
    `UPDATE turnwire_sessions SET node = $4 WHERE id = $1 AND tenant = $2 AND (node IS NOT DISTINCT FROM $3 OR node = $4)
      AND EXISTS (SELECT FROM turnwire_nodes WHERE number = $4 FOR KEY SHARE) RETURNING number`,
    [id, tenant, from, to],
  );
  if (rows.length === 0)
    throw new StoreError('elsewhere', 'the session or the server has changed in the meantime; nothing was moved');
}

async function askOwner(
  { address }: NodeState,
  { tenant, agent, secret, params }: MovedSession & { readonly secret: string; readonly params: object },
): Promise<void> {
  if (address === null) throw invalidParams('The server that has the session has published no address');
  const principal = { tenant, scope: 'admin', isOwner: true } as const;
  const peer = connectClient(linkTransport({ address, agent, secret, principal, firstId: 0 }), {});
  try {
    const clientInfo = { name: 'turnwire serve move', version: '1' };
    const turnwire: TurnwireMeta['initialize'] = { asks: false, startsLater: true };
    await peer.request('initialize', { protocolVersion, clientInfo, clientCapabilities: { _meta: { turnwire } } });
    await peer.request('_turnwire/move', params);
  } finally {
    await peer.close();
  }
}
