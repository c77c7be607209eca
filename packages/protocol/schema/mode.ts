import { list, meaning, nullable, object, optional, required, string } from './language.ts';
import { SessionId } from './session-id.ts';

export const SessionModeId = meaning(string, 'Names a mode. The agent chooses it.');

export const SessionMode = object('A way the agent can work in: asking first, planning only, editing freely.', {
  id: required(SessionModeId, 'What requests refer to.'),
  name: required(string, 'What the user reads.'),
  description: optional(nullable(string), 'More about it, for the user. Absent or `null`: nothing more.').orAbsent(),
});

export const SessionModeState = object('The modes of a session and the one it is in.', {
  currentModeId: required(SessionModeId, 'The mode the session is in.'),
  availableModes: required(list(SessionMode), 'The modes it can be put in.').orEmpty().withoutBadItems(),
});

export const SetSessionModeRequest = object('Puts a session into another mode.', {
  sessionId: required(SessionId, 'The session.'),
  modeId: required(SessionModeId, 'One of its available modes.'),
});

export const SetSessionModeResponse = object('The session is in the mode asked for.');

export const CurrentModeUpdate = object('The session has changed its mode, at the user’s wish or the agent’s.', {
  currentModeId: required(SessionModeId, 'The mode it is in now.'),
});
