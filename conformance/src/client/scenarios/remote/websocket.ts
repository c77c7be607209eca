import { asMessage } from '../../../wire/messages.ts';
import type { ClientScripts } from '../../client-stage.ts';
import { wordsAfter } from '../endings.ts';

export const webSocketClientScenarios: ClientScripts = {
  'remote/text-messages': async (stage) => {
    const { agent } = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
    const first = agent.journal.find(({ from }) => from === 'client');
    const method = asMessage(first?.message)?.['method'];
    stage.see.check('R362', method !== 'initialize' && `the first message was ${String(method)}`);
    const count = agent.connection.binaryMessages?.() ?? 0;
    stage.see.check('R354', count !== 0 && `${count} messages came as binary frames`);
  },
};
