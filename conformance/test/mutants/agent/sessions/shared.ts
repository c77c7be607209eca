import { asMessage, at, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../../mutant-line.ts';

/** Ignores the cursor or the role that a client sends. */
const deafToMeta: Defect = () => ({
  hears: (message) => [{ ...message, ...(isOpening(message) && { params: { ...paramsOf(message), _meta: {} } }) }],
});

/** Agents with faults in sessions that several clients share. */
export const sharedMutants: readonly Mutant[] = [
  {
    name: 'sends a turn only to the client that prompted',
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
    name: 'leaves a permission request open at the other clients after one has answered',
    judges: 'agent',
    scenario: 'shared/question',
    breaks: 'R374',
    needs: 'shared',
    defect: () => ({ says: (message) => (message['method'] === '$/cancel_request' ? [] : [message]) }),
  },
  {
    name: 'accepts prompts of an observer',
    judges: 'agent',
    scenario: 'shared/observer',
    breaks: 'R375',
    needs: 'shared',
    defect: deafToMeta,
  },
  {
    name: 'forgets what a reconnecting client has missed',
    judges: 'agent',
    scenario: 'shared/cursor',
    breaks: 'R376',
    needs: 'shared',
    defect: deafToMeta,
  },
  {
    name: 'sends everything to a reconnecting client',
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
