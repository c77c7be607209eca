import { expect, it } from 'vitest';
import * as ours from '@turnwire/sdk-compat';
import * as oursUnstable from '@turnwire/sdk-compat/unstable';
import * as theirs from '@agentclientprotocol/sdk';
import * as theirsUnstable from '@agentclientprotocol/sdk/unstable';

for (const [name, sdk] of Object.entries({ ours, theirs: theirs as unknown as typeof ours }))
  it(`${name}: turn over bytes`, async () => {
    const a = new TransformStream<Uint8Array>();
    const b = new TransformStream<Uint8Array>();
    sdk
      .agent({ name: 'echo' })
      .onRequest('initialize', () => ({ protocolVersion: sdk.PROTOCOL_VERSION, agentCapabilities: {} }))
      .onRequest('session/new', () => ({ sessionId: 's' }))
      .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
        for (const content of prompt)
          await client.notify('session/update', {
            sessionId,
            update: { sessionUpdate: 'agent_message_chunk', content },
          });
        return { stopReason: 'end_turn' };
      })
      .connect(sdk.ndJsonStream(a.writable, b.readable));
    const text = await sdk
      .client({ name: 'c' })
      .connectWith(sdk.ndJsonStream(b.writable, a.readable), async (agent) => {
        await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
        return agent.buildSession(process.cwd()).withSession(async (session) => {
          void session.prompt('Hello');
          return session.readText();
        });
      });
    expect(text).toBe('Hello');
  });
it('has the names', () => {
  expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
  expect(Object.keys(oursUnstable).sort()).toEqual(Object.keys(theirsUnstable).sort());
});
it('methods', () => {
  const pick = (m: any) => ({
    m: m.methods,
    a: m.AGENT_METHODS,
    c: m.CLIENT_METHODS,
    p: m.PROTOCOL_METHODS,
    x: m.PROXY_METHODS,
  });
  expect(pick(ours)).toEqual(pick(theirs));
  expect(pick(oursUnstable)).toEqual(pick(theirsUnstable));
});
