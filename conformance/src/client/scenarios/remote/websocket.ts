import { asMessage } from '../../../wire/messages.ts';
import type { ClientScripts } from '../../client-stage.ts';
import { continuesNormally, wordsAfter, wordsBefore } from '../endings.ts';

export const webSocketClientScenarios: ClientScripts = {
  'remote/text-messages': async (stage) => {
    const { agent } = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
    const first = agent.journal.find(({ from }) => from === 'client');
    const method = asMessage(first?.message)?.['method'];
    stage.see.check('R362', method !== 'initialize' && `the first message was ${String(method)}`);
    const count = agent.connection.binaryMessages?.() ?? 0;
    stage.see.check('R354', count !== 0 && `${count} messages came as binary frames`);
  },
  'remote/binary-message': async (stage) => {
    const unwanted = 'Words in a binary frame.';
    const done = await stage.turn(({ agent, sessionId }) => {
      agent.say(sessionId, wordsBefore);
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: unwanted } };
      const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
      agent.connection.sendBinary?.(JSON.stringify(message));
      agent.say(sessionId, wordsAfter);
    });
    if (done.end.stdout.includes(unwanted)) stage.see.broken('R355', 'a message in a binary frame was shown');
    else continuesNormally(stage, done, 'R355');
  },
};
