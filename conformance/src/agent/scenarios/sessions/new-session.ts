import { at } from '../../../wire/messages.ts';
import { type AgentScripts, withAgent } from '../../agent-context.ts';
import { framesOf, type Update } from '../../frames.ts';
import { expectDone } from '../../fixtures/preconditions.ts';
import type { Session } from '../../session.ts';
import { promptFor } from '../../steering.ts';

const words = ['quince', 'medlar'];

export const newSessionScenarios: AgentScripts = {
  'new-session/apart': withAgent([], async (agent, context) => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => agent.session()));
    const prompts = words.map((text) => context.steer('say', { text }));
    const turns = prompts.map((prompt, nth) => (sessions[nth] as Session).begin(prompt));
    for (const turn of turns) await turn.end();
    for (const [nth, { sessionId }] of turns.entries()) {
      const text = words[nth] ?? '';
      const isSaid = ({ update }: Update): boolean => String(at(update, 'content', 'text')).includes(text);
      const own = agent.updates().filter((update) => update.sessionId === sessionId);
      expectDone(framesOf(own.map(({ entry }) => entry)).words.includes(text), `say ${text}`);
      const foreign = agent.updates().filter((update) => update.sessionId !== sessionId && isSaid(update));
      const strayed = foreign.length > 0 && `messages of session ${sessionId} appeared in another session`;
      context.see.check('R078', strayed, foreign);
    }
    // A session without a turn has nothing to repeat.
    if (promptFor(context.settings.steering, 'repeat', {}) === undefined) return;
    const turn = await (sessions.at(-1) as Session).does('repeat');
    const leaked = words.find((word) => turn.words.includes(word));
    if (leaked !== undefined)
      context.see.broken('R078', `a new session repeated text from another session: ${leaked}`, turn.entries);
  }),
  'new-session/cwd': async (context) => {
    const turn = await (await context.session()).does('write', { path: 'quince.txt', text: 'quince' });
    context.see.held('R273');
    const isElsewhere = (await context.textOf('../started-here/quince.txt')) !== undefined;
    expectDone(isElsewhere || (await context.textOf('quince.txt')) !== undefined, 'create a file');
    const fault = 'the file was created in the working directory of the process, not in the folder of the session';
    context.see.check('R080', isElsewhere && fault, turn);
  },
};
