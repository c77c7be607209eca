import type { Rule } from '../rule.ts';

export const requestIds: Rule = {
  name: 'The id of a request is a string or an integer',
  judges: 'both',
  requirements: ['R020'],
  listen: ({ held, broken }) => ({
    sent: (frame) => {
      if (frame.kind !== 'request') return;
      const { id } = frame;
      if (typeof id === 'string' || Number.isInteger(id)) held('R020');
      else broken('R020', `A request has the id ${JSON.stringify(id)}`, frame);
    },
  }),
};
