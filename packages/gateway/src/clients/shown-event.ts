import type { ClientCapabilities, SessionUpdate } from '@turnwire/protocol';
import type { SessionEvent } from '@turnwire/client/gateway';
import { shownOptions } from './shown-options.ts';

/** What a client gets of an event: updates of the protocol, or for those who read them the event itself. */
export type ShownEvent =
  | { readonly updates: readonly SessionUpdate[] }
  | { readonly event: SessionEvent; readonly updates?: undefined };

/** To whom an event is shown. */
export interface Viewer {
  readonly readsEvents: boolean;
  /** The client caused it since it was attached: it shows its own prompts itself, and has their failure as the answer. */
  readonly isOwn: boolean;
  readonly capabilities: ClientCapabilities;
}

/** How an event is shown to a client. */
export function shownEvent(event: SessionEvent, { readsEvents, isOwn, capabilities }: Viewer): ShownEvent {
  switch (event.type) {
    case 'update':
      return { updates: [shownUpdate(event.update, capabilities)] };
    case 'prompt':
      if (isOwn) return { updates: [] };
      if (readsEvents) return { event };
      return { updates: event.content.map((content) => ({ sessionUpdate: 'user_message_chunk', content })) };
    default:
      if (readsEvents) return { event };
      return { updates: isOwn ? [] : inWords(event).map((update) => shownUpdate(update, capabilities)) };
  }
}

/** An event as a client gets it that reads events. */
export function eventFor(event: SessionEvent, capabilities: ClientCapabilities): SessionEvent {
  return event.type === 'update' ? { ...event, update: shownUpdate(event.update, capabilities) } : event;
}

/** Whether every client gets the update of an event as it came. */
export function isShownAsItIs({ update }: SessionEvent & { readonly type: 'update' }): boolean {
  return update.sessionUpdate !== 'config_option_update';
}

function shownUpdate(update: SessionUpdate, capabilities: ClientCapabilities): SessionUpdate {
  if (update.sessionUpdate !== 'config_option_update') return update;
  return { ...update, configOptions: shownOptions(update.configOptions, capabilities) };
}

/** What clients that only know the protocol must not miss. */
function inWords(event: SessionEvent): readonly SessionUpdate[] {
  switch (event.type) {
    case 'setup':
      return [
        ...(event.modes
          ? [{ sessionUpdate: 'current_mode_update' as const, currentModeId: event.modes.currentModeId }]
          : []),
        ...(event.configOptions
          ? [{ sessionUpdate: 'config_option_update' as const, configOptions: event.configOptions }]
          : []),
      ];
    case 'boundary':
      return event.reason === 'context-lost' ? [notice(event.message)] : [];
    case 'ran-unasked':
      return [notice(event.explanation)];
    case 'turn-failed':
      return [notice(event.message)];
    case 'remark':
      return event.severity === 'info' ? [] : [notice(event.title)];
    default:
      return [];
  }
}

/** Text of the gateway between the agent's: it ends with a blank line, since clients join the chunks of a message. */
function notice(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `[turnwire] ${text}\n\n` } };
}
