import { asMessage, at, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../../mutant-line.ts';

/** Does not hear what a client says of its place, or of what it is. */
const deafToMeta: Defect = () => ({
  hears: (message) => [{ ...message, ...(isOpening(message) && { params: { ...paramsOf(message), _meta: {} } }) }],
});

/** Agents whose sessions several clients share. */
export const sharedMutants: readonly Mutant[] = [
  {
    name: 'shows a turn to nobody but who has prompted',
    judges: 'agent',
    scenario: 'shared/order',
    breaks: 'R373',
    needs: 'shared',
    defect: () => {
      let hasPrompted = false;
      return {
        hears: (message) => {
          hasPrompted ||= message['method'] === 'session/prompt';
          return [message];
        },
        says: (message) => (message['method'] === 'session/update' && !hasPrompted ? [] : [message]),
      };
    },
  },
  {
    name: 'leaves its question to the others open when one has answered',
    judges: 'agent',
    scenario: 'shared/question',
    breaks: 'R374',
    needs: 'shared',
    defect: () => ({ says: (message) => (message['method'] === '$/cancel_request' ? [] : [message]) }),
  },
  {
    name: 'takes prompts of who only watches',
    judges: 'agent',
    scenario: 'shared/observer',
    breaks: 'R375',
    needs: 'shared',
    defect: deafToMeta,
  },
  {
    name: 'forgets what a client missed that comes back',
    judges: 'agent',
    scenario: 'shared/cursor',
    breaks: 'R376',
    needs: 'shared',
    defect: deafToMeta,
  },
  {
    name: 'shows everything to a client that comes back',
    judges: 'agent',
    scenario: 'shared/cursor',
    breaks: 'R376',
    needs: 'shared',
    defect: () => ({
      hears: (message) => {
        const isBack = at(message, 'params', '_meta', 'turnwire', 'after') !== undefined;
        const _meta = { turnwire: { after: '0' } };
        return [isBack ? { ...message, params: { ...paramsOf(message), _meta } } : message];
      },
    }),
  },
];

function paramsOf(message: RawMessage): RawMessage {
  return asMessage(message['params']) ?? {};
}

function isOpening({ method }: RawMessage): boolean {
  return method === 'session/load' || method === 'session/resume';
}
