import { at } from '../../../wire/messages.ts';
import { type AgentScripts, withAgent } from '../../agent-stage.ts';
import { framesOf, type Update } from '../../frames.ts';
import { expectDone } from '../../pieces/preconditions.ts';
import type { Session } from '../../session.ts';
import { promptFor } from '../../steering.ts';

const words = ['quince', 'medlar'];

export const newSessionScenarios: AgentScripts = {
  'new-session/apart': withAgent([], async (agent, stage) => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => agent.session()));
    const prompts = words.map((text) => stage.steer('say', { text }));
    const turns = prompts.map((prompt, nth) => (sessions[nth] as Session).begin(prompt));
    for (const turn of turns) await turn.end();
    for (const [nth, { sessionId }] of turns.entries()) {
      const text = words[nth] ?? '';
      const isSaid = ({ update }: Update): boolean => String(at(update, 'content', 'text')).includes(text);
      const own = agent.updates().filter((update) => update.sessionId === sessionId);
      expectDone(framesOf(own.map(({ entry }) => entry)).words.includes(text), `say ${text}`);
      const foreign = agent.updates().filter((update) => update.sessionId !== sessionId && isSaid(update));
      const strayed = foreign.length > 0 && `messages of session ${sessionId} appeared in another`;
      stage.see.check('R078', strayed, foreign);
    }
    // A session in which nothing was said has nothing to repeat.
    if (promptFor(stage.settings.steering, 'repeat', {}) === undefined) return;
    const turn = await (sessions.at(-1) as Session).does('repeat');
    const leaked = words.find((word) => turn.words.includes(word));
    if (leaked !== undefined)
      stage.see.broken('R078', `a new session repeats what was said in another: ${leaked}`, turn.entries);
  }),
  'new-session/cwd': async (stage) => {
    const turn = await (await stage.session()).does('write', { path: 'quince.txt', text: 'quince' });
    stage.see.held('R273');
    const isElsewhere = (await stage.textOf('../started-here/quince.txt')) !== undefined;
    expectDone(isElsewhere || (await stage.textOf('quince.txt')) !== undefined, 'create a file');
    const fault = 'the file was created where the agent was started, not in the folder of the session';
    stage.see.check('R080', isElsewhere && fault, turn);
  },
};
