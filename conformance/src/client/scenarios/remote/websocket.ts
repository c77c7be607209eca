import { asMessage } from '../../../wire/messages.ts';
import type { ClientScripts } from '../../client-context.ts';
import { textAfter } from '../endings.ts';

export const webSocketClientScenarios: ClientScripts = {
  'remote/text-messages': async (context) => {
    const { agent } = await context.turn(({ agent, sessionId }) => void agent.say(sessionId, textAfter));
    const first = agent.journal.find(({ from }) => from === 'client');
    const method = asMessage(first?.message)?.['method'];
    context.see.check('R362', method !== 'initialize' && `the first message was ${String(method)}`);
    const count = agent.connection.binaryMessages?.() ?? 0;
    context.see.check('R354', count !== 0 && `${count} messages arrived in binary frames`);
  },
};
