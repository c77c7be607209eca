import { absolutePath, nullable, object, optional, required, string, uint32 } from './language.ts';
import { SessionId } from './session-id.ts';

export const ReadTextFileRequest = object(
  'Reads a text file as the client sees it, unsaved changes included. Needs the client capability `fs.readTextFile`.',
  {
    sessionId: required(SessionId, 'The session.'),
    path: required(absolutePath, 'The file: an absolute path.'),
    line: optional(nullable(uint32), 'The first line to read, from 1. Absent or `null`: the first of the file.'),
    limit: optional(nullable(uint32), 'How many lines to read at most. Absent or `null`: all.'),
  },
);

export const ReadTextFileResponse = object('What the file holds.', {
  content: required(string, 'The lines asked for.'),
});

export const WriteTextFileRequest = object(
  'Writes a text file, in place of what it held; makes it if it is not there. Needs the client capability `fs.writeTextFile`.',
  {
    sessionId: required(SessionId, 'The session.'),
    path: required(absolutePath, 'The file: an absolute path.'),
    content: required(string, 'All it is to hold.'),
  },
);

export const WriteTextFileResponse = object('The file is written.');
