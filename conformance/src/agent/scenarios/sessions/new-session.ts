import { join } from 'node:path';
import { asMessage } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { promptFor } from '../../steering.ts';
import { entriesOf, updatesIn, wordsIn } from '../../pieces/frames.ts';
import { expectDone, textOf } from '../../pieces/preconditions.ts';

const words = ['quince', 'medlar'];

/** How sessions begin. */
export const newSessionScenarios: readonly AgentScenario[] = [
  {
    id: 'new-session/apart',
    title: 'sessions of one connection have their own ids, and messages of one do not appear in another',
    covers: ['R075', 'R078'],
    run: seeApart,
  },
  {
    id: 'new-session/incomplete',
    title: 'session/new without a working directory is refused',
    covers: ['R077'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      // Whether a session can be had at all.
      await stage.newSession(wire);
      for (const params of [{ mcpServers: [] }, { cwd: 7, mcpServers: [] }]) {
        const { entry, error } = await wire.ask('session/new', params);
        stage.see.check('R077', error !== undefined, {
          otherwise: `session/new began a session with ${JSON.stringify(params)}`,
          evidence: [entry],
        });
      }
    },
  },
  {
    id: 'new-session/cwd',
    title: 'a session works in its own folder, wherever the agent was started, and needs no option to be set',
    covers: ['R080', 'R273'],
    client: bareClient,
    run: async (stage) => {
      const { wire } = await stage.ready();
      const { id } = await stage.newSession(wire);
      const prompt = stage.steer('write', { path: 'quince.txt', text: 'quince' });
      const { reply } = await stage.prompt(wire, id, prompt);
      stage.see.held('R273');
      const isElsewhere = (await textOf(join(stage.folder, '..', 'started-here', 'quince.txt'))) !== undefined;
      expectDone(isElsewhere || (await textOf(join(stage.folder, 'quince.txt'))) !== undefined, 'create a file');
      stage.see.check('R080', !isElsewhere, {
        otherwise: 'the file was created where the agent was started, not in the folder of the session',
        evidence: [reply.entry],
      });
    },
  },
];

/** A session in which nothing was said has nothing to repeat. */
async function seeNoHistory(stage: AgentStage, wire: Wire, sessionId: string): Promise<void> {
  const again = promptFor(stage.settings.steering, 'repeat', {});
  if (again === undefined) return;
  const { entries } = await stage.prompt(wire, sessionId, again);
  const leaked = words.find((word) => wordsIn(entries).includes(word));
  if (leaked === undefined) return;
  stage.see.broken('R078', `a new session repeats what was said in another: ${leaked}`, entries);
}

async function seeApart(stage: AgentStage): Promise<void> {
  const { wire } = await stage.ready();
  const sessions = await Promise.all(Array.from({ length: 4 }, () => stage.newSession(wire)));
  stage.see.check('R075', new Set(sessions.map(({ id }) => id)).size === sessions.length, {
    otherwise: `${sessions.length} sessions have the ids ${sessions.map(({ id }) => id).join(', ')}`,
    evidence: sessions.map(({ reply }) => reply.entry),
  });
  const turns = words.map((text, at) => ({
    text,
    turn: stage.begin(wire, String(sessions[at]?.id), stage.steer('say', { text })),
  }));
  for (const { turn } of turns) await turn.end();
  for (const { text, turn } of turns) {
    const own = updatesIn(wire.journal).filter(({ sessionId }) => sessionId === turn.sessionId);
    expectDone(wordsIn(entriesOf(own)).includes(text), `say ${text}`);
    const foreign = updatesIn(wire.journal).filter(
      ({ sessionId, update }) =>
        sessionId !== turn.sessionId && String(asMessage(update['content'])?.['text']).includes(text),
    );
    stage.see.check('R078', foreign.length === 0, {
      otherwise: `messages of session ${turn.sessionId} appeared in another`,
      evidence: entriesOf(foreign),
    });
  }
  await seeNoHistory(stage, wire, String(sessions.at(-1)?.id));
}
