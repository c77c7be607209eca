import { quoted } from '../../wire/messages.ts';
import { type Rule, rule } from '../rule.ts';

export const requestIds: Rule = rule('both', ['R020'], {
  name: 'The id of a request is a string or an integer',
  sent: (frame, { check }) => {
    if (frame.kind !== 'request') return;
    const { id } = frame;
    const fault = !(typeof id === 'string' || Number.isInteger(id)) && `A request has the id ${quoted(id)}`;
    check('R020', fault, frame);
  },
});
