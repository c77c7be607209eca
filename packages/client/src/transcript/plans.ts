import type { PlanEntry, PlanUpdate } from '@turnwire/protocol';
import { appended, remember, replaced, type Transcript } from './transcript.ts';
import type { Plan } from './transcript-view.ts';

/** Replaces the plan without an id. */
export function withPlan(transcript: Transcript, entries: readonly PlanEntry[], at: number): Transcript {
  return changed(transcript, { entries }, at);
}

/** Replaces the plan with its id, whichever form it had. */
export function withPlanUpdate(transcript: Transcript, { plan }: PlanUpdate, at: number): Transcript {
  const { planId } = plan;
  switch (plan.type) {
    case 'items':
      return changed(transcript, { planId, entries: plan.entries }, at);
    case 'markdown':
      return changed(transcript, { planId, entries: [], markdown: plan.content }, at);
    case 'file':
      return changed(transcript, { planId, entries: [], uri: plan.uri }, at);
    default:
      return transcript;
  }
}

/** Removes a plan. The entry of the turn becomes empty. */
export function withoutPlan(transcript: Transcript, planId: string, at: number): Transcript {
  const without = changed(transcript, { planId, entries: [] }, at);
  return { ...without, plans: without.plans.filter((plan) => plan.planId !== planId) };
}

/** A plan that changes in a later turn gets an entry there too. */
function changed(transcript: Transcript, plan: Plan, at: number): Transcript {
  const known = transcript.plans.findIndex(({ planId }) => planId === plan.planId);
  const plans = known === -1 ? [...transcript.plans, plan] : transcript.plans.with(known, plan);
  const updated = { ...transcript, plans };
  for (const index of transcript.memory.plans) {
    const entry = transcript.entries.at(index);
    if (entry?.type !== 'plan' || entry.planId !== plan.planId) continue;
    const { key, at: begun } = entry;
    return replaced(updated, index, { type: 'plan', key, at: begun, ...plan });
  }
  if (plan.entries.length === 0 && plan.markdown === undefined && plan.uri === undefined) return updated;
  const plansOfTurn = [...transcript.memory.plans, transcript.entries.length];
  return remember(appended(updated, { type: 'plan', at, ...plan }), { plans: plansOfTurn });
}
