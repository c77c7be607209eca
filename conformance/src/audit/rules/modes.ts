import type { RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';
import { choicesOf } from '../session-facts.ts';
import type { Frame } from '../frame.ts';
import type { RuleContext, Rule } from '../rule.ts';

export const knownModes: Rule = {
  name: 'The mode of a session is one of its modes',
  judges: 'agent',
  requirements: ['R253'],
  listen: (context) => ({
    sent: (frame) => {
      if (frame.update?.sessionUpdate === 'current_mode_update') judgeUpdate(frame, context);
      for (const { type, value } of frame.dissection.parts)
        if (type === 'SessionModeState') judgeState(frame, asMessage(value) ?? {}, context);
    },
  }),
};

function judgeUpdate(frame: Frame, { facts, held, broken }: RuleContext): void {
  const mode = frame.update?.['currentModeId'];
  const { modes } = facts.session(frame.sessionId ?? '');
  if (modes === undefined || typeof mode !== 'string') return;
  if (modes.includes(mode)) held('R253');
  else broken('R253', `The mode ${JSON.stringify(mode)} is none of those of the session`, frame);
}

function judgeState(frame: Frame, { availableModes, currentModeId }: RawMessage, { broken }: RuleContext): void {
  if (!Array.isArray(availableModes) || typeof currentModeId !== 'string') return;
  if (availableModes.some((mode) => asMessage(mode)?.['id'] === currentModeId)) return;
  broken('R253', `The mode ${JSON.stringify(currentModeId)} is not among availableModes`, frame);
}

export const modesInStep: Rule = {
  name: 'Where modes are sent in both forms, both agree',
  judges: 'agent',
  requirements: ['R257'],
  listen: ({ held, broken }) => ({
    sent: (frame) => {
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
  listen: (context) => ({
    sent: (frame) => {
      if (frame.kind !== 'request') return;
      if (frame.method === 'session/set_mode') judgeMode(frame, context);
      if (frame.method === 'session/set_config_option') judgeOption(frame, context);
    },
  }),
};

function judgeMode(frame: Frame, { facts, held, broken }: RuleContext): void {
  const { modeId } = frame.params;
  const { modes, options } = facts.session(frame.sessionId ?? '');
  if (modes === undefined) return;
  if (typeof modeId === 'string' && modes.includes(modeId)) held('R249');
  else broken('R249', `The mode ${JSON.stringify(modeId)} was not listed`, frame);
  const hasOption = options?.some(({ category }) => category === 'mode') === true;
  if (hasOption) broken('R256', 'session/set_mode is used, and there is an option for the mode', frame);
}

function judgeOption(frame: Frame, { facts, held }: RuleContext): void {
  const { modes, options } = facts.session(frame.sessionId ?? '');
  const option = options?.find(({ id }) => id === frame.params['configId']);
  if (modes !== undefined && option?.['category'] === 'mode') held('R256');
}
