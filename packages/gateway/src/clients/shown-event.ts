import type { ClientCapabilities, SessionUpdate } from '@turnwire/protocol';
import type { SessionEvent } from '@turnwire/client/gateway';
import { plainUpdate, shownOptions } from '@turnwire/protocol/translation';
import { inWords } from './told-losses.ts';

/** An event for a client: updates of the protocol, or the event itself for clients that read events. */
export type ShownEvent =
  | { readonly updates: readonly SessionUpdate[] }
  | { readonly event: SessionEvent; readonly updates?: undefined };

/** The client that an event is shown to. */
export interface Viewer {
  readonly readsEvents: boolean;
  /** The client caused the event since it attached: it shows its own prompt itself, and their failure is its answer. */
  readonly isOwn: boolean;
  readonly capabilities: ClientCapabilities;
}

/** Converts an event for a client. */
export function shownEvent(event: SessionEvent, { readsEvents, isOwn, capabilities }: Viewer): ShownEvent {
  switch (event.type) {
    case 'update':
      return { updates: plain([event.update], capabilities) };
    case 'prompt':
      if (isOwn) return { updates: [] };
      if (readsEvents) return { event };
      return { updates: event.content.map((content) => ({ sessionUpdate: 'user_message_chunk', content })) };
    default:
      if (readsEvents) return { event };
      return { updates: isOwn ? [] : plain(inUpdates(event), capabilities) };
  }
}

/** An event for a client that reads events. */
export function eventFor(event: SessionEvent, capabilities: ClientCapabilities): SessionEvent {
  if (event.type !== 'update' && event.type !== 'child-update') return event;
  const { said: _, ...shown } = event;
  return { ...shown, update: shownUpdate(event.update, capabilities) };
}

function plain(updates: readonly SessionUpdate[], capabilities: ClientCapabilities): readonly SessionUpdate[] {
  return updates.flatMap((update) => plainUpdate(update, capabilities) ?? []);
}

function shownUpdate(update: SessionUpdate, capabilities: ClientCapabilities): SessionUpdate {
  if (update.sessionUpdate !== 'config_option_update') return update;
  return { ...update, configOptions: shownOptions(update.configOptions, capabilities) };
}

/** The mode and the options of a session, as updates. */
export function settingsIn({
  modes,
  configOptions,
}: SessionEvent & { readonly type: 'setup' }): readonly SessionUpdate[] {
  return [
    ...(modes ? [{ sessionUpdate: 'current_mode_update' as const, currentModeId: modes.currentModeId }] : []),
    ...(configOptions ? [{ sessionUpdate: 'config_option_update' as const, configOptions }] : []),
  ];
}

/** Converts the events that clients of the plain protocol must not miss. */
function inUpdates(event: SessionEvent): readonly SessionUpdate[] {
  switch (event.type) {
    case 'setup':
      return settingsIn(event);
    case 'boundary':
      return event.reason === 'context-lost' ? [inWords(event.message)] : [];
    case 'ran-unasked':
      return [inWords(event.explanation)];
    case 'turn-failed':
      return [inWords(event.message)];
    case 'remark':
      return event.severity === 'info' ? [] : [inWords(event.title)];
    default:
      return [];
  }
}
