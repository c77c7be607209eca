import { list, map, meaning, nullable, object, optional, required, string, tagged, variant } from './language.ts';

export const AuthMethodId = meaning(string, 'Names a way of logging in. The agent chooses it.');

const named = {
  id: required(AuthMethodId, 'What `authenticate` refers to.'),
  name: required(string, 'What the user reads.'),
  description: optional(nullable(string), 'More about it, for the user. Absent or `null`: nothing more.').orAbsent(),
};

export const AuthMethodTerminal = object(
  'The user logs in at an interactive terminal: the client starts the agent’s own program once more, with these arguments and variables added. Exit status 0 means success. Never passed to `authenticate`; only offered to clients with the `auth.terminal` capability.',
  {
    ...named,
    args: optional(list(string), 'Arguments to put after the agent’s usual ones. Absent: none.').nullMeansAbsent(),
    env: optional(
      map(string),
      'Environment variables to set on top of the agent’s usual ones; the same name wins. Absent: none.',
    ).nullMeansAbsent(),
  },
);

export const AuthMethodAgent = object('The agent does it all itself when `authenticate` is called.', named);

export const AuthMethod = tagged({
  description: 'A way of logging in. Without a `type` it is of type `agent`.',
  tag: 'type',
  variants: {
    terminal: variant(AuthMethodTerminal, 'At an interactive terminal.'),
    agent: variant(AuthMethodAgent, 'Through `authenticate`.'),
  },
  untagged: 'agent',
});

export const AuthenticateRequest = object('Logs the user in.', {
  methodId: required(AuthMethodId, 'One of the ways the agent offered in its answer to `initialize`.'),
});

export const AuthenticateResponse = object('The user is logged in.');

export const LogoutRequest = object('Logs the user out. Needs the agent capability `auth.logout`.');

export const LogoutResponse = object('The user is logged out.');
