import type { AgentScenario } from '../../agent-scenario.ts';
import { objectsIn, updatesIn } from '../../pieces/frames.ts';
import { beginSession, expectDone } from '../../pieces/preconditions.ts';

const steps = { first: 'pick the quinces', second: 'wash the quinces', third: 'cook the quinces' };

/** How the agent shares its plans. */
export const planScenarios: readonly AgentScenario[] = [
  {
    id: 'plan/entries',
    title: 'a plan is reported, with all of its entries',
    covers: ['R242', 'R243'],
    run: async (stage) => {
      const { wire, sessionId } = await beginSession(stage);
      const { entries } = await stage.prompt(wire, sessionId, stage.steer('plan', steps));
      const plans = updatesIn(entries).filter(({ kind }) => kind === 'plan');
      const last = plans.at(-1);
      expectDone(last !== undefined, 'plan');
      stage.see.held('R242');
      const announced = new Set(objectsIn(last.update['entries']).map(({ content }) => content));
      const wanted: readonly unknown[] = Object.values(steps);
      const missing = wanted.filter((step) => !announced.has(step));
      // In a plan with other words the entries cannot be identified.
      if ([...announced].some((entry) => !wanted.includes(entry)))
        return stage.see.unseen('R243', 'the agent put its plan in other words');
      stage.see.check('R243', missing.length === 0, {
        otherwise: `the plan was sent without ${missing.map((step) => `“${String(step)}”`).join(' and ')}`,
        evidence: plans.map(({ entry }) => entry),
      });
    },
  },
];
