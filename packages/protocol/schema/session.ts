import { SessionConfigOption } from './config-option.ts';
import { absolutePath, list, nullable, object, optional, required } from './language.ts';
import { McpServer } from './mcp-server.ts';
import { SessionModeState } from './mode.ts';
import { SessionId } from './session-id.ts';

const cwd = required(absolutePath, 'The folder the session works in: an absolute path, and the base of relative ones.');

const additionalDirectories = optional(
  list(absolutePath),
  'Further folders the session may work in: absolute paths. This is the whole list, whatever an earlier one said. Absent or empty: none. Needs the agent capability `sessionCapabilities.additionalDirectories`.',
).nullMeansAbsent();

const mcpServers = 'MCP servers for the agent to connect to.';

const state = {
  modes: optional(nullable(SessionModeState), 'The modes of the session. Absent or `null`: it has none.').orAbsent(),
  configOptions: optional(nullable(list(SessionConfigOption)), 'The configuration options of the session. Absent or `null`: it has none.')
    .orAbsent()
    .withoutBadItems(),
};

export const NewSessionRequest = object('Begins a session.', {
  cwd,
  additionalDirectories,
  mcpServers: required(list(McpServer), mcpServers).nullMeansEmpty(),
});

export const NewSessionResponse = object('The session is ready for a prompt.', {
  sessionId: required(SessionId, 'What all later requests about this session carry.'),
  ...state,
});

export const LoadSessionRequest = object(
  'Opens an earlier session and has its history replayed, as updates, before the answer comes. Needs the agent capability `loadSession`.',
  {
    mcpServers: required(list(McpServer), mcpServers).nullMeansEmpty(),
    cwd,
    additionalDirectories,
    sessionId: required(SessionId, 'The session to open.'),
  },
);

export const LoadSessionResponse = object('The history was replayed and the session is ready for a prompt.', state);

export const ResumeSessionRequest = object(
  'Opens an earlier session without replaying its history. Needs the agent capability `sessionCapabilities.resume`.',
  {
    sessionId: required(SessionId, 'The session to open.'),
    cwd,
    additionalDirectories,
    mcpServers: optional(list(McpServer), `${mcpServers} Absent: none.`).nullMeansAbsent(),
  },
);

export const ResumeSessionResponse = object('The session is ready for a prompt.', state);

export const CloseSessionRequest = object(
  'Ends an open session: the agent cancels what runs in it and frees what it holds. The session is not deleted. Needs the agent capability `sessionCapabilities.close`.',
  { sessionId: required(SessionId, 'The session to close.') },
);

export const CloseSessionResponse = object('The session is closed.');
