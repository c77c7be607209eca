import { asMessage } from '../../wire/messages.ts';
import { choicesOf } from '../session-facts.ts';
import type { Rule } from '../rule.ts';

export const knownModes: Rule = {
  name: 'The mode of a session is one of its modes',
  judges: 'agent',
  requirements: ['R253'],
  listen: ({ facts, held, broken }) => ({
    said: (frame) => {
      const { update, sessionId } = frame;
      const session = sessionId === undefined ? undefined : facts.session(sessionId);
      if (update?.sessionUpdate === 'current_mode_update' && session?.modes !== undefined) {
        const mode = update['currentModeId'];
        if (typeof mode !== 'string') return;
        if (session.modes.includes(mode)) held('R253');
        else broken('R253', `The mode ${JSON.stringify(mode)} is none of those of the session`, frame);
      }
      for (const { type, value } of frame.dissection.parts) {
        const state = asMessage(value);
        const modes: unknown = state?.['availableModes'];
        if (type !== 'SessionModeState' || !Array.isArray(modes)) continue;
        if (modes.some((mode) => asMessage(mode)?.['id'] === state?.['currentModeId'])) continue;
        broken('R253', `The mode ${JSON.stringify(state?.['currentModeId'])} is not among availableModes`, frame);
      }
    },
  }),
};

export const modesInStep: Rule = {
  name: 'Where modes are told both ways, both say the same',
  judges: 'agent',
  requirements: ['R257'],
  listen: ({ held, broken }) => ({
    said: (frame) => {
      const modes = asMessage(frame.result?.['modes']);
      const options: unknown = frame.result?.['configOptions'];
      if (modes === undefined || !Array.isArray(options)) return;
      const option = options.map(asMessage).find((each) => each?.['category'] === 'mode');
      // Only where the values are the ids of modes it is certain that both mean the same.
      if (option === undefined || !choicesOf(option).includes(modes['currentModeId'])) return;
      if (option['currentValue'] === modes['currentModeId']) held('R257');
      else broken('R257', 'modes and the option for them name two current modes', frame);
    },
  }),
};

export const listedMode: Rule = {
  name: 'A client sets modes that were listed, and uses options where there are some for modes',
  judges: 'client',
  requirements: ['R249', 'R256'],
  listen: ({ facts, held, broken }) => ({
    said: (frame) => {
      if (frame.kind !== 'request' || frame.sessionId === undefined) return;
      const { modes, options } = facts.session(frame.sessionId);
      const option = options?.find(({ category }) => category === 'mode');
      if (
        frame.method === 'session/set_config_option' &&
        modes !== undefined &&
        frame.params['configId'] === option?.['id']
      ) {
        if (option !== undefined) held('R256');
      }
      if (frame.method !== 'session/set_mode' || modes === undefined) return;
      const { modeId } = frame.params;
      if (typeof modeId === 'string' && modes.includes(modeId)) held('R249');
      else broken('R249', `The mode ${JSON.stringify(modeId)} was not listed`, frame);
      if (option !== undefined) broken('R256', 'session/set_mode is used, and there is an option for the mode', frame);
    },
  }),
};
