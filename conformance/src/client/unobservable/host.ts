import type { Unobservable } from '../../requirements/requirement.ts';

const drawn = 'What a client draws of it is not on the wire';

/** Files, terminals, permission, questions, modes, options, plans and notices. */
export const unobservableInHosts: Unobservable = {
  R190: drawn,
  R208: 'Nobody can type into the editor of a client from outside',
  R229: drawn,
  R244: drawn,
  R259: drawn,
  R266: drawn,
  R292: drawn,
  R293: drawn,
  R294: drawn,
  R302: drawn,
  R321: drawn,
};
