import { AuthMethod } from './authentication.ts';
import { AgentCapabilities } from './agent-capabilities.ts';
import { ClientCapabilities } from './client-capabilities.ts';
import { defaults, list, meaning, nullable, object, optional, required, string, uint16 } from './language.ts';

export const ProtocolVersion = meaning(
  uint16,
  'The major version of the protocol. It rises only for breaking changes; everything else is a capability.',
);

export const Implementation = object('Which program speaks, for logs and for display.', {
  name: required(string, 'Name for programs; shown to people when there is no title.'),
  title: optional(nullable(string), 'Name for people. Absent or `null`: use `name`.').orAbsent(),
  version: required(string, 'Version of the program, `1.0.0` say. Of no set form.'),
});

export const InitializeRequest = object(
  'The first request of a connection: the client says which version it speaks and what it offers the agent.',
  {
    protocolVersion: required(ProtocolVersion, 'The newest version the client speaks.'),
    clientCapabilities: optional(ClientCapabilities, 'What the agent may ask of the client. Absent: nothing.')
      .absentMeans(defaults(ClientCapabilities))
      .orAbsent(),
    clientInfo: optional(
      nullable(Implementation),
      'Which client this is. Absent or `null`: it does not say; send it, later versions will require it.',
    ).orAbsent(),
  },
);

export const InitializeResponse = object('The agent’s side of the handshake.', {
  protocolVersion: required(
    ProtocolVersion,
    'The version to speak: the client’s if the agent knows it, else the newest the agent knows. A client that does not know it hangs up.',
  ),
  agentCapabilities: optional(AgentCapabilities, 'What the client may ask of the agent beyond the basics. Absent: nothing.')
    .absentMeans(defaults(AgentCapabilities))
    .orAbsent(),
  authMethods: optional(list(AuthMethod), 'The ways to log in. Absent or empty: none is needed or offered.')
    .absentMeans([])
    .orAbsent()
    .withoutBadItems(),
  agentInfo: optional(
    nullable(Implementation),
    'Which agent this is. Absent or `null`: it does not say; send it, later versions will require it.',
  ).orAbsent(),
});
