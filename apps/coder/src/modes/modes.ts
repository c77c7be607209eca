import type { SessionMode } from '@agentwire/protocol';

/** The modes of the agent. It begins in the first. */
export const modes: readonly SessionMode[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before each change and each command' },
];
