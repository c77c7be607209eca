import type { GatewayMethods } from '@turnwire/client/gateway';
import { localDay } from '@turnwire/machine';
import {
  type AgentWork,
  invalidParams,
  methodNotFound,
  type PromptRequest,
  type TurnwireRequest,
  usageDimensions,
} from '@turnwire/protocol';
import { onlyOwner } from './connection-refusals.ts';
import { sessionIdIn, withText } from './own-parameters.ts';
import { enqueue } from './prompting.ts';
import type { ClientState } from './client-state.ts';
import { reviewHandlers } from './review-handlers.ts';
import { search } from './searching.ts';
import { historyPage } from './session-history.ts';

/** The handlers of the methods that a gateway adds to the protocol. Each checks its parameters, and throws the ProtocolError to answer with. */
export const turnwireHandlers: {
  readonly [Method in TurnwireRequest]: (
    client: ClientState,
    params: unknown,
  ) => GatewayMethods[Method]['result'] | Promise<GatewayMethods[Method]['result']>;
} = {
  ...reviewHandlers,
  '_turnwire/enqueue': (client, request) => enqueue(client, request as PromptRequest),
  '_turnwire/cancel_work': async ({ opened }, params) => {
    const { work } = (params ?? {}) as { readonly work?: AgentWork };
    if (typeof work?.type !== 'string') throw invalidParams('_turnwire/cancel_work: { sessionId, work } is needed');
    await opened.controlled(sessionIdIn('_turnwire/cancel_work', params)).host.agent.cancelWork(work);
    return {};
  },
  '_turnwire/restart': async ({ opened }, params) => {
    const { host, subscription } = opened.controlled(sessionIdIn('_turnwire/restart', params));
    await host.restart();
    await subscription.reached(host.head.sequence);
    return {};
  },
  '_turnwire/authenticate': async ({ opened }, params) => {
    const { sessionId, value: methodId } = withText('_turnwire/authenticate', params, 'methodId');
    const { host, subscription } = opened.controlled(sessionId);
    await host.authenticate({ methodId });
    await subscription.reached(host.head.sequence);
    return {};
  },
  '_turnwire/sessions': ({ opened, owner }, params) => {
    const { sessionId, value: cwd } = withText('_turnwire/sessions', params, 'cwd');
    const { cursor } = params as { readonly cursor?: string };
    if (!owner.principal.isOwner) throw onlyOwner('_turnwire/sessions');
    return opened.controlled(sessionId).host.agent.ownSessions({ cwd, cursor });
  },
  '_turnwire/fork': ({ opened, owner }, params) => {
    if (!owner.principal.isOwner) throw onlyOwner('_turnwire/fork');
    const { _meta } = (params ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> };
    return opened.controlled(sessionIdIn('_turnwire/fork', params)).host.fork(_meta);
  },
  '_turnwire/status': ({ opened }, params) => {
    const { host } = opened.get(sessionIdIn('_turnwire/status', params));
    return { state: host.state, waiting: host.shown.waiting };
  },
  '_turnwire/withdraw': async ({ opened }, params) => {
    const { sessionId, value: turnId } = withText('_turnwire/withdraw', params, 'turnId');
    return { withdrawn: await opened.controlled(sessionId).host.withdraw(turnId) };
  },
  '_turnwire/advance': ({ opened }, params) => {
    const { sessionId, value: turnId } = withText('_turnwire/advance', params, 'turnId');
    return { advanced: opened.controlled(sessionId).host.turns.advance(turnId) };
  },
  '_turnwire/steer': async ({ opened }, params) => {
    const { sessionId, value: turnId } = withText('_turnwire/steer', params, 'turnId');
    return { steered: await opened.controlled(sessionId).host.turns.steer(turnId) };
  },
  '_turnwire/move': async ({ sessions, owner }, params) => {
    const { sessionId, value: to } = withText('_turnwire/move', params, 'to');
    const { seconds = 30 } = params as { readonly seconds?: number };
    if (!sessions.move) throw methodNotFound('_turnwire/move');
    if (!owner.principal.isOwner) throw onlyOwner('_turnwire/move');
    await sessions.move(sessionId, { to, within: seconds * 1_000 }, owner);
    return {};
  },
  '_turnwire/history': async ({ sessions, owner, capabilities }, params) => {
    const session = await sessions.find(sessionIdIn('_turnwire/history', params), owner);
    return historyPage(session, params as object, capabilities);
  },
  '_turnwire/search': search,
  '_turnwire/usage': async ({ sessions, owner }, params) => {
    const { by, days } = (params ?? {}) as GatewayMethods['_turnwire/usage']['params'];
    if (by !== undefined && !usageDimensions.includes(by))
      throw invalidParams(`_turnwire/usage: by is one of ${usageDimensions.join(', ')}`);
    if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 36_500))
      throw invalidParams('_turnwire/usage: days is a whole number from 1 to 36500');
    const since = days === undefined ? undefined : localDay(new Date(), days - 1);
    return { rows: await sessions.usage({ by, since }, owner) };
  },
  '_turnwire/rename': ({ opened }, params) => {
    const { sessionId, title } = (params ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof sessionId !== 'string' || typeof title !== 'string' || title.trim() === '' || title.length > 200)
      throw invalidParams('_turnwire/rename: { sessionId, title } is needed, with a title of up to 200 characters');
    opened.controlled(sessionId).host.events.rename(title.trim());
    return {};
  },
};
