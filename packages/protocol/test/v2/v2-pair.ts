import type { Handlers, Params, Peer, PeerOptions, Result, Side } from '@turnwire/protocol';
import { connectAgent, connectClient } from '@turnwire/protocol';
import { type AgentCapabilities, v2, type V2 } from '@turnwire/protocol/v2';
import { answer, call, TestWire } from '../peer/test-wire.ts';

export const info = { name: 'example', version: '1.0.0' };

/** Capabilities of an agent that offers all of version 2. */
const everyAgentCapability: AgentCapabilities = {
  session: {
    prompt: { image: {}, audio: {}, embeddedContext: {} },
    mcp: { stdio: {}, http: {} },
    delete: {},
    additionalDirectories: {},
  },
};

export const introduction: Params<'initialize', V2> = {
  protocolVersion: 2,
  info,
  capabilities: { auth: { terminal: {} }, elicitation: { form: {}, url: {} } },
};

export const agreed: Result<'initialize', V2> = { protocolVersion: 2, info, capabilities: everyAgentCapability };

interface Ready<S extends Side> {
  readonly wire: TestWire;
  readonly peer: Peer<S, V2>;
}

/** An agent of version 2 on a test wire, past `initialize`. */
export async function readyAgent(
  handlers: Handlers<'agent', V2> = {},
  options: PeerOptions<V2> = {},
): Promise<Ready<'agent'>> {
  const wire = new TestWire();
  const peer = connectAgent(wire, { initialize: () => agreed, ...handlers }, { ...options, edition: v2 });
  wire.feed(call('init', 'initialize', introduction));
  await wire.frames(1);
  return { wire, peer };
}

/** A client of version 2 on a test wire, past `initialize`. */
export async function readyClient(
  handlers: Handlers<'client', V2> = {},
  answered: object = agreed,
): Promise<Ready<'client'>> {
  const wire = new TestWire();
  const peer = connectClient(wire, handlers, { edition: v2 });
  const ready = peer.request('initialize', introduction);
  wire.feed(answer(0, answered));
  await ready;
  wire.take();
  return { wire, peer };
}
