import { defineAgent, sessionStore } from '@agentwire/agent';
import type { AgentDefinition } from '@agentwire/agent';
import type { CoderOptions } from './coder-options.ts';
import type { SessionMemory } from './session/session-memory.ts';

/** The coding agent, for whoever serves it. Only what answers `initialize` is loaded with it; the rest comes with the first session. */
export function coderAgent(options: CoderOptions = {}): AgentDefinition<SessionMemory> {
  return defineAgent<SessionMemory>({
    info: { name: 'agentwire-coder', title: 'Agentwire Coder', version: '0.1.0' },
    promptCapabilities: { embeddedContext: true },
    additionalDirectories: true,
    ...(options.sessions && { store: sessionStore(options.sessions) }),
    openSession: async (setup) => (await import('./session/open-session.ts')).openSession(setup, options),
    closeSession: async ({ memory }) => (await import('./session/open-session.ts')).closeSession(memory),
    prompt: async (turn) => (await import('./loop/answer-prompt.ts')).answerPrompt(turn, options),
  });
}
