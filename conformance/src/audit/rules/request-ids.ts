import { quoted } from '../../wire/messages.ts';
import { type Rule, rule } from '../rule.ts';

/** The id of a request is a string or an integer. */
export const requestIds: Rule = rule('both', ['R020'], (frame, { check }) => {
  if (frame.kind !== 'request') return;
  const { id } = frame;
  const fault = !(typeof id === 'string' || Number.isInteger(id)) && `A request has the id ${quoted(id)}`;
  check('R020', fault, frame);
});
