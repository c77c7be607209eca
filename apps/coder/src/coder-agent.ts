import { sessionStore } from '@turnwire/agent/node';
import type { AgentDefinition } from '@turnwire/agent';
import type { TurnwireMeta } from '@turnwire/protocol';
import { type V1Unstable, v1Unstable } from '@turnwire/protocol/unstable';
import { v2Unstable } from '@turnwire/protocol/v2/unstable';
import { coderAuth } from './auth/coder-auth.ts';
import type { CoderOptions } from './config/coder-options.ts';
import { limitConfigOptions } from './session/limit-options.ts';
import { modelChoice } from './model/model-choice.ts';
import { modes } from './modes/modes.ts';
import { listsTitled } from './session/listed-sessions.ts';
import type { CoderTurn, SessionMemory } from './session/session-memory.ts';

/** The coding agent, ready to be served. Loads only the modules that `initialize` needs; the first session loads the others. */
export function coderAgent(options: CoderOptions = {}): AgentDefinition<SessionMemory, V1Unstable> {
  return {
    info: { name: 'turnwire-coder', title: 'Turnwire Coder', version: '0.1.0' },
    // A model that cannot read a file gets its name, and the user a notice.
    promptCapabilities: { embeddedContext: true, image: true, audio: true },
    mcpCapabilities: { http: true, sse: true },
    additionalDirectories: true,
    // The unstable editions add `session/fork`.
    edition: v1Unstable,
    editionV2: v2Unstable,
    ...(options.sessions && {
      capabilities: {
        sessionCapabilities: { fork: { _meta: { turnwire: { withoutLast: true, restoreFiles: true } } } },
      },
      sessionForked: async (session, fork) => (await import('./commands/restore-files.ts')).restoreFiles(session, fork),
    }),
    // The agent applies the limits of a prompt: see `limitsMeta` of @turnwire/permissions, which is not worth importing for one key.
    capabilitiesMeta: {
      turnwire: { permissionLimits: true, recordedTurn: true } satisfies TurnwireMeta['agent capabilities'],
    },
    ...(options.sessions && { store: listsTitled(sessionStore(options.sessions)) }),
    // A program that passes a model passes its key as well.
    ...((options.model === undefined || typeof options.model === 'string') && { auth: coderAuth(options.env) }),
    steering: true,
    modes,
    configOptions: (session) => [
      ...session.memory.models.options(modelChoice(session)),
      ...limitConfigOptions(session.memory.settings.limits),
    ],
    // Called as soon as the client knows the session: late models are announced from then on too.
    commands: async (session) => (await import('./commands/late-offers.ts')).watchOffers(session),
    openSession: async (setup) => (await import('./session/open-session.ts')).openSession(setup, options),
    closeSession: async ({ memory }) => (await import('./session/open-session.ts')).closeSession(memory),
    // Turns use nothing that the edition adds.
    prompt: async (turn) => (await import('./loop/answer-prompt.ts')).answerPrompt(turn as unknown as CoderTurn),
  };
}
