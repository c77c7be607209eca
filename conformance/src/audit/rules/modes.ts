import { asMessage, objectsIn, quoted } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { type Rule, rule, type RuleContext } from '../rule.ts';
import { choicesOf } from '../session-facts.ts';

/** The current mode of a session is one of its available modes. */
export const knownModes: Rule = rule('agent', ['R253'], (frame, { facts, broken, check }) => {
  if (frame.update?.sessionUpdate === 'current_mode_update') {
    const mode = frame.update['currentModeId'];
    const { modes } = facts.session(frame.sessionId ?? '');
    if (modes !== undefined && typeof mode === 'string')
      check('R253', !modes.includes(mode) && `The mode ${quoted(mode)} is not available in the session`, frame);
  }
  for (const { availableModes, currentModeId } of frame.partsOf('SessionModeState')) {
    if (!Array.isArray(availableModes) || typeof currentModeId !== 'string') continue;
    if (!objectsIn(availableModes).some(({ id }) => id === currentModeId))
      broken('R253', `The current mode ${quoted(currentModeId)} is not in availableModes`, frame);
  }
});

/** An agent that sends modes in both forms sends the same current mode in both. */
export const modesInStep: Rule = rule('agent', ['R257'], (frame, { check }) => {
  const modes = asMessage(frame.result?.['modes']);
  const options: unknown = frame.result?.['configOptions'];
  if (modes === undefined || !Array.isArray(options)) return;
  const option = options.map(asMessage).find((each) => each?.['category'] === 'mode');
  // The two forms are comparable only if the values of the option are mode ids.
  if (option === undefined || !choicesOf(option).includes(modes['currentModeId'])) return;
  const fault =
    option['currentValue'] !== modes['currentModeId'] &&
    'modes and the config option for the mode have different current modes';
  check('R257', fault, frame);
});

/** A client sets only listed modes, and uses the config option for the mode if there is one. */
export const listedMode: Rule = rule('client', ['R249', 'R256'], (frame, context) => {
  if (frame.kind !== 'request') return;
  if (frame.method === 'session/set_mode') judgeMode(frame, context);
  if (frame.method === 'session/set_config_option') judgeOption(frame, context);
});

function judgeMode(frame: Frame, { facts, broken, check }: RuleContext): void {
  const { modeId } = frame.params;
  const { modes, options } = facts.session(frame.sessionId ?? '');
  if (modes === undefined) return;
  const fault = !(typeof modeId === 'string' && modes.includes(modeId)) && `The mode ${quoted(modeId)} was not listed`;
  check('R249', fault, frame);
  const hasOption = options?.some(({ category }) => category === 'mode') === true;
  if (hasOption) broken('R256', 'session/set_mode was used although there is a config option for the mode', frame);
}

function judgeOption(frame: Frame, { facts, held }: RuleContext): void {
  const { modes, options } = facts.session(frame.sessionId ?? '');
  const option = options?.find(({ id }) => id === frame.params['configId']);
  if (modes !== undefined && option?.['category'] === 'mode') held('R256');
}
