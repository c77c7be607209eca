import { defineAgent, sessionStore } from '@turnwire/agent';
import type { AgentDefinition } from '@turnwire/agent';
import { coderAuth } from './auth/coder-auth.ts';
import type { CoderOptions } from './coder-options.ts';
import { limitConfigOptions } from './loop/limit-options.ts';
import { modelChoice } from './model/model-choice.ts';
import { modes } from './modes/modes.ts';
import { listsTitled } from './session/listed-sessions.ts';
import type { SessionMemory } from './session/session-memory.ts';

/** The coding agent, for whoever serves it. Only what answers `initialize` is loaded with it; the rest comes with the first session. */
export function coderAgent(options: CoderOptions = {}): AgentDefinition<SessionMemory> {
  return defineAgent<SessionMemory>({
    info: { name: 'turnwire-coder', title: 'Turnwire Coder', version: '0.1.0' },
    // What a model cannot look at is named to it, and the user is told.
    promptCapabilities: { embeddedContext: true, image: true, audio: true },
    mcpCapabilities: { http: true, sse: true },
    additionalDirectories: true,
    // It keeps to the limits a prompt brings: see `limitsMeta` of @turnwire/permissions, which is not loaded for that.
    capabilitiesMeta: { turnwire: { permissionLimits: true } },
    ...(options.sessions && { store: listsTitled(sessionStore(options.sessions)) }),
    // Who brings a model brings its key.
    ...((options.model === undefined || typeof options.model === 'string') && { auth: coderAuth(options.env) }),
    modes,
    configOptions: (session) => [
      ...session.memory.models.options(modelChoice(session)),
      ...limitConfigOptions(session.memory.settings.limits),
    ],
    commands: async (session) => {
      // Commands are asked for as soon as the client knows its session; late models are for the same moment.
      void import('./model/offer-late-models.ts').then(({ offerLateModels }) => offerLateModels(session));
      const [{ availableCommands }, { offerLateCommands }] = await Promise.all([
        import('./commands/slash-commands.ts'),
        import('./commands/offer-late-commands.ts'),
      ]);
      offerLateCommands(session);
      return availableCommands(session);
    },
    openSession: async (setup) => (await import('./session/open-session.ts')).openSession(setup, options),
    closeSession: async ({ memory }) => (await import('./session/open-session.ts')).closeSession(memory),
    prompt: async (turn) => (await import('./loop/answer-prompt.ts')).answerPrompt(turn),
  });
}
