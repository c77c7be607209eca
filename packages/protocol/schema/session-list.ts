import { absolutePath, list, nullable, object, optional, required, string } from './language.ts';
import { SessionId } from './session-id.ts';

export const SessionInfo = object('A session in a list.', {
  sessionId: required(SessionId, 'What requests refer to.'),
  cwd: required(string, 'The folder it works in: an absolute path.'),
  additionalDirectories: optional(list(string), 'The further folders it works in: absolute paths, in order. Absent or empty: none.')
    .orAbsent()
    .withoutBadItems(),
  title: optional(nullable(string), 'What the user reads. Absent or `null`: it has no title.').orAbsent(),
  updatedAt: optional(nullable(string), 'When something last happened in it: ISO 8601. Absent or `null`: not known.').orAbsent(),
});

export const ListSessionsRequest = object(
  'Asks for the sessions the agent keeps, a page at a time. Needs the agent capability `sessionCapabilities.list`.',
  {
    cwd: optional(nullable(absolutePath), 'Only sessions that work in this folder: an absolute path. Absent or `null`: all.'),
    cursor: optional(nullable(string), 'The `nextCursor` of the page before, as it was. Absent or `null`: the first page.'),
  },
);

export const ListSessionsResponse = object('A page of sessions.', {
  sessions: required(list(SessionInfo), 'The sessions of this page; it may be empty.').orEmpty().withoutBadItems(),
  nextCursor: optional(nullable(string), 'What to ask for the next page with. Absent or `null`: this was the last.').orAbsent(),
});

export const DeleteSessionRequest = object(
  'Takes a session out of the list for good. Needs the agent capability `sessionCapabilities.delete`.',
  {
    sessionId: required(SessionId, 'The session to delete.'),
  },
);

export const DeleteSessionResponse = object('The session is gone.');

export const SessionInfoUpdate = object('What the list says about a session has changed.', {
  title: optional(nullable(string), 'The new title; `null` takes it away. Absent: as before.').orAbsent(),
  updatedAt: optional(
    nullable(string),
    'When something last happened in it: ISO 8601; `null` takes it away. Absent: as before.',
  ).orAbsent(),
});
