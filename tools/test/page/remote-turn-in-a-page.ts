// Runs in the page: a whole turn with an agent on the server, over a WebSocket and over HTTP, and the answer of a server of another origin.
import { approveAll, attachAgent } from '@turnwire/client';
import { connectHttp } from '@turnwire/transports/http';
import { webSocketTransport } from '@turnwire/transports/websocket';

const profiles = {
  websocket: () => webSocketTransport(new WebSocket(`ws://${location.host}/acp`, ['acp', 'bearer.secret'])),
  http: () => connectHttp(`${location.origin}/acp`, { headers: { authorization: 'Bearer secret' } }),
};

/** The results of an agent: updates of a turn with a permission request, the end of a cancelled turn, and the replay of both. */
async function turns(profile: keyof typeof profiles): Promise<unknown> {
  const agent = await attachAgent(profiles[profile](), { permission: approveAll });
  const cwd = '/page';
  const session = await agent.newSession({ cwd });
  const texts: string[] = [];
  const first = session.prompt('first');
  for await (const update of first) if (update.sessionUpdate === 'agent_message_chunk') texts.push(textOf(update));
  const second = session.prompt('wait');
  for await (const update of second) {
    if (update.sessionUpdate !== 'agent_message_chunk') continue;
    texts.push(textOf(update));
    void second.cancel();
  }
  const ends = [(await first).stopReason, (await second).stopReason];
  await agent.close();
  await using later = await attachAgent(profiles[profile]());
  const replayed: string[] = [];
  await later.loadSession?.({
    sessionId: session.id,
    cwd,
    onUpdate: (update) => {
      if (update.sessionUpdate.endsWith('message_chunk')) replayed.push(textOf(update));
    },
  });
  return { agent: agent.info, texts, ends, replayed };
}

function textOf(update: object): string {
  return (update as { readonly content: { readonly text: string } }).content.text;
}

Object.assign(globalThis, {
  outcome: turns('websocket').then(async (websocket) => ({ websocket, http: await turns('http') })),
});
