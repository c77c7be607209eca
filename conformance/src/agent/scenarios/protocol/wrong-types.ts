import { methods } from '@turnwire/protocol';
import type { Reply } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { readyToAnswer, unknownMethod } from '../../pieces/unknown-method.ts';

/** Every parameter of every method, each of a wrong type. */
const wrong = {
  sessionId: [],
  cwd: { path: '/' },
  mcpServers: 'none',
  additionalDirectories: [5],
  prompt: [{ type: 'text', text: 5 }],
  methodId: {},
  modeId: 7,
  configId: null,
  value: [[]],
  cursor: 5,
} as const;

/** A logout may be understood whatever comes with it, and a user would have to log in again. */
const asked = Object.entries(methods).flatMap(([method, { side, kind }]) =>
  side === 'agent' && kind === 'request' && method !== 'initialize' && method !== 'logout' ? [method] : [],
);

/** How an agent takes what is not what it expects. */
export const wrongTypeScenarios: readonly AgentScenario[] = [
  {
    id: 'errors/wrong-types',
    title: 'parameters of wrong types end in errors that say something, never in a crash',
    covers: ['R023', 'R328'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const replies = await Promise.all(asked.map((method) => wire.ask(method, wrong)));
      for (const reply of replies) seeMessage(stage, reply);
      const accepted = replies.filter(({ error }, nth) => error === undefined && asked[nth] !== 'session/list');
      stage.see.check('R328', accepted.length === 0, {
        otherwise: 'parameters of wrong types were accepted',
        evidence: accepted.map(({ entry }) => entry),
      });
      await wire.ask(unknownMethod);
    },
  },
];

function seeMessage(stage: AgentStage, { entry, error }: Reply): void {
  if (error === undefined) return;
  const isClear = typeof error.message === 'string' && error.message.trim() !== '';
  stage.see.check('R023', isClear, { otherwise: 'the error has no message', evidence: [entry] });
}
