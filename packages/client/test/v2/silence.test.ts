import { attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { connectAgent } from '@turnwire/protocol';
import { type SessionUpdate, v2 } from '@turnwire/protocol/v2';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';

/** Updates that say nothing new, or something that only version 2 can express. */
const signs: readonly SessionUpdate[] = [
  { sessionUpdate: 'state_update', state: 'running' },
  { sessionUpdate: 'state_update', state: 'requires_action' },
  { sessionUpdate: 'state_update', state: 'running', background: [] },
  { sessionUpdate: 'agent_message', messageId: 'm', content: [{ type: 'text', text: 'Hi' }] },
  { sessionUpdate: 'agent_message', messageId: 'm' },
  { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'in_progress' },
  // No call shows this terminal.
  { sessionUpdate: 'terminal_update', terminalId: 'hidden', cwd: '/' },
  { sessionUpdate: 'terminal_output_chunk', terminalId: 'hidden', data: 'YQ==' },
  { sessionUpdate: 'usage_update', used: 1, size: 2 },
  { sessionUpdate: 'compaction_update', compactionId: 'c' },
];

test('in version 2 every update of a session ends the silence of its agent', async () => {
  const [ours, theirs] = memoryPair();
  let isSilent = false;
  let onChange = (): void => undefined;
  const until = (state: boolean): Promise<void> =>
    new Promise((resolve) => {
      onChange = () => isSilent === state && resolve();
      onChange();
    });
  const heard: SessionUpdate[] = [];
  const peer = connectAgent(
    theirs,
    {
      initialize: () => ({
        protocolVersion: 2,
        info: { name: 'raw', version: '1' },
        capabilities: { session: {} },
      }),
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': ({ sessionId, prompt }) => {
        const send = (update: SessionUpdate): Promise<void> => peer.notify('session/update', { sessionId, update });
        const work = async (): Promise<void> => {
          await send({ sessionUpdate: 'user_message', messageId: 'u', content: prompt });
          for (const update of signs) {
            await until(true);
            await send(update);
            await until(false);
            heard.push(update);
          }
          await send({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
        };
        void work();
        return { messageId: 'u' };
      },
    },
    { edition: v2 },
  );
  await using agent = await attachAgent(ours, { versions: protocolVersions([2]), timeouts: { silence: 20 } });
  const session = await agent.newSession({
    cwd: '/',
    onSilence: (_, silentSince) => {
      isSilent = silentSince !== undefined;
      onChange();
    },
  });
  expect({ result: await session.prompt('work').result, heard }).toEqual({
    result: { stopReason: 'end_turn' },
    heard: signs,
  });
});
