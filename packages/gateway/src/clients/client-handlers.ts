import type { Handlers } from '@turnwire/protocol';
import { beginning } from '@turnwire/runtime';
import {
  authenticate,
  cancelTurns,
  type ClientOf,
  closeSession,
  deleteSession,
  extensionHandlers,
  initialize,
  listSessions,
  logOut,
} from './client-requests.ts';
import { prompt } from './prompting.ts';
import { newSession, reopenSession } from './session-opening.ts';
import { shownOptions } from '@turnwire/protocol/translation';
import { withWireErrors } from './wire-error.ts';

/** The handlers of all messages that clients of version 1 send. @param clientOf finds the client that sent a message */
export function clientHandlers(clientOf: ClientOf): Handlers<'agent'> {
  return withWireErrors<Handlers<'agent'>>({
    ...extensionHandlers(clientOf),
    initialize: (request, context) => initialize(clientOf(context), request),
    authenticate: async (login, context) => {
      await authenticate(clientOf(context), login, context);
      return {};
    },
    logout: async (_, context) => {
      await logOut(clientOf(context));
      return {};
    },
    'session/new': (request, context) => newSession(clientOf(context), request),
    'session/load': (request, context) => reopenSession(clientOf(context), request, beginning),
    'session/resume': (request, context) => reopenSession(clientOf(context), request, undefined),
    'session/list': (request, context) => listSessions(clientOf(context), request),
    'session/prompt': (request, context) => prompt(clientOf(context), request, context),
    'session/cancel': (request, context) => cancelTurns(clientOf(context), request),
    'session/set_mode': async ({ sessionId, modeId }, context) => {
      await clientOf(context).controlled(sessionId).host.agent.setMode(modeId);
      return {};
    },
    'session/set_config_option': async ({ sessionId, configId, value }, context) => {
      const { host, subscriber } = clientOf(context).controlled(sessionId);
      await host.agent.setConfigOption(configId, value);
      return { configOptions: shownOptions(host.facts.configOptions ?? [], subscriber.capabilities) };
    },
    'session/close': async ({ sessionId }, context) => {
      await closeSession(clientOf(context), sessionId);
      return {};
    },
    'session/delete': async ({ sessionId }, context) => {
      await deleteSession(clientOf(context), sessionId);
      return {};
    },
  });
}
