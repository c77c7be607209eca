import { absolutePath, boolean, list, meaning, nullable, object, optional, required, string, uint32, uint64 } from './language.ts';
import { EnvVariable } from './mcp-server.ts';
import { SessionId } from './session-id.ts';

export const TerminalId = meaning(string, 'Names a terminal. The client chooses it.');

const reference = {
  sessionId: required(SessionId, 'The session.'),
  terminalId: required(TerminalId, 'The terminal.'),
};

const exit = {
  exitCode: optional(nullable(uint32), 'The exit code. Absent or `null`: a signal ended it.').orAbsent(),
  signal: optional(nullable(string), 'The signal that ended it, `SIGTERM` say. Absent or `null`: it exited by itself.').orAbsent(),
};

export const CreateTerminalRequest = object(
  'Starts a command and answers at once. Needs the client capability `terminal`, like all its siblings.',
  {
    sessionId: required(SessionId, 'The session.'),
    command: required(string, 'The command.'),
    args: optional(list(string), 'Its arguments. Absent: none.').nullMeansAbsent(),
    env: optional(list(EnvVariable), 'Environment variables to set for it. Absent: none.').nullMeansAbsent(),
    cwd: optional(nullable(absolutePath), 'The folder to start it in: an absolute path. Absent or `null`: the session’s.'),
    outputByteLimit: optional(
      nullable(uint64),
      'How many bytes of output to keep. Beyond that the oldest go first, at a character boundary. Absent or `null`: the client decides.',
    ),
  },
);

export const CreateTerminalResponse = object('The command is running.', {
  terminalId: required(TerminalId, 'What later requests refer to.'),
});

export const TerminalOutputRequest = object('Asks for the output so far, without waiting.', reference);

export const TerminalExitStatus = object('How a command ended.', exit);

export const TerminalOutputResponse = object('The output so far.', {
  output: required(string, 'What is kept of it.'),
  truncated: required(boolean, 'Whether the beginning was cut off to keep within the limit.'),
  exitStatus: optional(nullable(TerminalExitStatus), 'How the command ended. Absent or `null`: it runs.').orAbsent(),
});

export const WaitForTerminalExitRequest = object('Waits for the command to end.', reference);

export const WaitForTerminalExitResponse = object('The command has ended.', exit);

export const KillTerminalRequest = object('Stops the command. The terminal stays and can still be read.', reference);

export const KillTerminalResponse = object('The command is stopped.');

export const ReleaseTerminalRequest = object(
  'Stops the command if it runs and forgets the terminal; its id is void from now on.',
  reference,
);

export const ReleaseTerminalResponse = object('The terminal is forgotten.');
