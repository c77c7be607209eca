import { meaning, string } from './language.ts';

export const SessionId = meaning(
  string,
  'Names a session: one conversation with its own history, context and state. The agent chooses it; to the client it is opaque.',
);
