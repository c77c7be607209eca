import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { entriesOf, updatesIn } from '../../pieces/frames.ts';
import { beginKeptSession, seeRecalled } from '../../pieces/kept-session.ts';
import { refusalWords } from '../../pieces/refusal-words.ts';
import { bringBack, restart } from '../../pieces/stored-session.ts';
import { transcriptOf } from '../../pieces/transcript.ts';

/** How sessions are resumed in another process. */
export const resumeScenarios: readonly AgentScenario[] = [
  {
    id: 'resume/context',
    title: 'session/resume shows nothing of the conversation, and the agent knows it still',
    covers: ['R091', 'R092'],
    run: async (stage) => {
      const { wire, sessionId, recalled } = await beginKeptSession(stage, 'sessionCapabilities.resume');
      const next = await restart(stage, wire);
      const { reply, before } = await bringBack(stage, { wire: next, method: 'session/resume', sessionId });
      if (reply.error !== undefined)
        throw new Stopped(`session/resume was refused: ${refusalWords(reply.error)}`, {
          requirement: 'R092',
          evidence: [...before, reply.entry],
        });
      stage.see.check('R091', transcriptOf(before, sessionId).length === 0, {
        otherwise: 'session/resume showed what was said before',
        evidence: entriesOf(updatesIn(before)),
      });
      await seeRecalled(stage, { wire: next, sessionId }, { recalled, requirement: 'R092' });
    },
  },
];
