import { boolean, defaults, nullable, object, optional } from './language.ts';

export const PromptCapabilities = object('What a prompt may hold besides text and links to resources, which every agent takes.', {
  image: optional(boolean, 'Whether `image` blocks are understood. Absent: no.').absentMeans(false).orAbsent(),
  audio: optional(boolean, 'Whether `audio` blocks are understood. Absent: no.').absentMeans(false).orAbsent(),
  embeddedContext: optional(boolean, 'Whether `resource` blocks, which carry a file’s content with them, are understood. Absent: no.')
    .absentMeans(false)
    .orAbsent(),
});

export const McpCapabilities = object('How the agent reaches MCP servers besides standard input and output, which every agent knows.', {
  http: optional(boolean, 'Whether servers of type `http` work. Absent: no.').absentMeans(false).orAbsent(),
  sse: optional(boolean, 'Whether servers of type `sse` work. Absent: no.').absentMeans(false).orAbsent(),
});

export const SessionListCapabilities = object('The agent lists its sessions. An empty object says it all.');

export const SessionDeleteCapabilities = object('The agent deletes sessions. An empty object says it all.');

export const SessionAdditionalDirectoriesCapabilities = object('Sessions may span several folders. An empty object says it all.');

export const SessionResumeCapabilities = object('The agent resumes sessions without replaying their history. An empty object says it all.');

export const SessionCloseCapabilities = object('The agent closes sessions. An empty object says it all.');

export const SessionCapabilities = object(
  'What the agent can do with sessions besides the basics: new, prompt, cancel and updates. Loading is announced apart, by `loadSession`.',
  {
    list: optional(nullable(SessionListCapabilities), '`session/list` may be called. Absent or `null`: it must not.').orAbsent(),
    delete: optional(nullable(SessionDeleteCapabilities), '`session/delete` may be called. Absent or `null`: it must not.').orAbsent(),
    additionalDirectories: optional(
      nullable(SessionAdditionalDirectoriesCapabilities),
      '`additionalDirectories` may be sent when a session is made, loaded or resumed. Absent or `null`: it must not.',
    ).orAbsent(),
    resume: optional(nullable(SessionResumeCapabilities), '`session/resume` may be called. Absent or `null`: it must not.').orAbsent(),
    close: optional(nullable(SessionCloseCapabilities), '`session/close` may be called. Absent or `null`: it must not.').orAbsent(),
  },
);

export const LogoutCapabilities = object('The agent can log the user out. An empty object says it all.');

export const AgentAuthCapabilities = object('What the agent can do about logging in, besides `authenticate`.', {
  logout: optional(nullable(LogoutCapabilities), '`logout` may be called. Absent or `null`: it must not.').orAbsent(),
});

export const AgentCapabilities = object('What an agent offers a client. Whatever is absent must not be called or sent.', {
  loadSession: optional(boolean, 'Whether `session/load` may be called. Absent: no.').absentMeans(false).orAbsent(),
  promptCapabilities: optional(PromptCapabilities, 'What prompts may hold. Absent: text and links only.')
    .absentMeans(defaults(PromptCapabilities))
    .orAbsent(),
  mcpCapabilities: optional(McpCapabilities, 'How MCP servers are reached. Absent: over standard input and output only.')
    .absentMeans(defaults(McpCapabilities))
    .orAbsent(),
  sessionCapabilities: optional(SessionCapabilities, 'Session features. Absent: none.')
    .absentMeans(defaults(SessionCapabilities))
    .orAbsent(),
  auth: optional(AgentAuthCapabilities, 'Login features. Absent: none.').absentMeans(defaults(AgentAuthCapabilities)).orAbsent(),
});
