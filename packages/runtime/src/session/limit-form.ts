import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';
import type { ReachedLimit } from '../usage/budgets.ts';

/** The decision about a reached limit: to continue the turn, or the new limit. Undefined: to stop. */
export type LimitChoice = 'once' | number | undefined;

/** The form that asks whether a turn may exceed a limit: one choice, so that one key answers it. */
export function limitForm(
  reached: ReachedLimit,
  { sessionId, text, currency }: { readonly sessionId: string; readonly text: string; readonly currency: string },
): CreateElicitationRequest {
  const unit = reached.limit === 'cost' ? currency : reached.limit;
  const where = reached.budget.per === 'day' ? ' for this session today' : '';
  return {
    mode: 'form',
    sessionId,
    message: `Paused: ${text}.`,
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: 'Continue?',
          oneOf: [
            { const: 'once', title: 'Continue this turn' },
            ...proposals(reached).map((most) => ({
              const: String(most),
              title: `Raise the limit to ${most} ${unit}${where}`,
            })),
            { const: 'stop', title: 'Stop' },
          ],
        },
      },
      required: ['answer'],
    },
  };
}

/** Reads the answer to the form. */
export function limitChoice(answer: CreateElicitationResponse | undefined, reached: ReachedLimit): LimitChoice {
  if (answer?.action !== 'accept') return undefined;
  const choice = answer.content?.['answer'];
  return choice === 'once' ? 'once' : proposals(reached).find((most) => String(most) === choice);
}

/** Higher limits to choose from: twice and ten times the present one, or at least what was used. */
function proposals({ most, used }: ReachedLimit): readonly number[] {
  const least = most === 0 ? Math.ceil(used) || 1 : most;
  return [2, 10].map((times) => {
    const raised = least * times;
    return Number((raised > used ? raised : Math.ceil(used * times)).toFixed(6));
  });
}
