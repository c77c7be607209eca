import { nonEmptyString, nullable, object, openChoice, optional, required, string } from './language.ts';

export const NoticeSeverity = openChoice('How urgent a notice is. Names that start with `_` are free for anyone’s use.', {
  info: 'Good to know.',
  warning: 'Worth a look.',
  error: 'Something is wrong.',
});

export const Notice = object(
  'A word to the user that is not part of the conversation and not kept. It may never be seen. Needs the client capability `session.notices`.',
  {
    severity: required(NoticeSeverity, 'How urgent it is.'),
    title: required(nonEmptyString, 'The notice, in plain text; enough by itself.'),
    description: optional(nullable(string), 'More about it, in plain text. Absent or `null`: nothing more.').orAbsent(),
  },
);
