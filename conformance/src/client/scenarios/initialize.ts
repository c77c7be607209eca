import { methods } from '@turnwire/protocol';
import { Stopped } from '../../wire/stopped.ts';
import { fullAgent } from '../agent/agent-offer.ts';
import { speaks } from '../client-habits.ts';
import type { ClientScripts } from '../client-stage.ts';
import { faultOf, wordsAfter } from './endings.ts';

export const initializeScenarios: ClientScripts = {
  'initialize/first': async (stage) => {
    stage.play((agent) => {
      agent.handle('initialize', async () => {
        await agent.quiet(250);
        const others = agent.received().filter(({ message }) => message['method'] !== 'initialize');
        stage.see.check('R030', others.length > 0 && 'something was said before initialize was answered', others);
        return agent.introduction();
      });
      agent.handle('session/new', async () => {
        await agent.quiet(250);
        const early = agent.calls('session/prompt');
        stage.see.check('R134', early.length > 0 && 'a prompt came before its session was there', early);
        return { sessionId: 'session-1' };
      });
    });
    await stage.turn(() => undefined);
  },
  'initialize/unknown-version': async (stage) => {
    stage.play((agent) => agent.handle('initialize', () => ({ ...agent.introduction(), protocolVersion: 77 })));
    const { agent, end } = await stage.perform('prompt');
    const [session] = agent.calls('session/new');
    const fault = 'the client continued with a version it does not know';
    if (session !== undefined) return stage.see.broken('R038', fault, session);
    const isSilent = `${end.stdout}${end.stderr}`.trim() === '';
    if (isSilent && !speaks(stage.habits)) throw new Stopped('the client prints nothing, whatever happens');
    stage.see.check('R038', faultOf(end) || (isSilent && 'the client said nothing of it'), agent.journal);
  },
  'initialize/agreed-version': async (stage) => {
    stage.play((agent) => agent.offer(fullAgent));
    const { agent } = await stage.turn((turn) => turn.say(wordsAfter));
    const isKnown = (method: string): boolean => method in methods || method.startsWith('_');
    const calls = agent.received().filter(({ message: { method } }) => typeof method === 'string');
    const foreign = calls.filter(({ message }) => !isKnown(String(message['method'])));
    const fault = foreign.length > 0 && `version 1 has no method ${String(foreign[0]?.message['method'])}`;
    stage.see.check('R037', fault, foreign);
  },
};
