import type { ClientScenario } from '../client-scenario.ts';
import { faultOf, survives, wordsAfter } from './endings.ts';

/** How an agent's process ends. */
export const shutdownScenarios: readonly ClientScenario[] = [
  {
    id: 'shutdown/input-first',
    title: 'an agent sees the end of its input before it is terminated',
    covers: ['R011'],
    run: async (stage) => {
      stage.play((agent) => agent.stay());
      const { agent, end } = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
      await agent.process.goneWithin(stage.settings.patience.leave);
      const { events } = agent.process;
      const [first] = events;
      if (first === undefined || first === 'gone') return;
      stage.see.check('R011', first === 'end of stdin' || closeBehind(events), {
        otherwise: `the agent got ${first} before the end of its input`,
      });
      const fault = faultOf(end);
      if (fault !== undefined) stage.see.broken('R011', `with an agent that stays when its input ends, ${fault}`);
    },
  },
  ...(
    [
      ['initialize', 'before it answers initialize'],
      ['session/new', 'before it answers session/new'],
      ['session/prompt', 'in the middle of a turn'],
    ] as const
  ).flatMap(([method, when]): ClientScenario[] => [
    {
      id: `shutdown/exit-at-${method.replace('session/', '')}`,
      title: `an agent that exits ${when} is told of, and nothing waits for it`,
      covers: ['R013'],
      run: async (stage) => {
        stage.play((agent) => agent.handle(method, () => void agent.process.exit(3)));
        const done = await stage.perform('prompt');
        if (await wasCalled(stage, method)) survivesWithError(stage, done);
      },
    },
  ]),
];
