import type { PlacedEvent } from './session-event.ts';
import type { SessionEvent } from '@turnwire/client/gateway';

/** The fields of an update that contains only text. */
const plain: ReadonlySet<string> = new Set(['sessionUpdate', 'content', 'messageId']);

/** A text of the agent, and the message or thought that it is part of. */
interface Text {
  readonly kind: string;
  readonly messageId: unknown;
  readonly text: string;
}

/**
 * Joins neighbouring texts of a message or a thought to one event, with the cursor of the last of them. So an agent that sends single words costs a
 * client no more than one that sends sentences.
 */
export function joinedTexts(events: readonly PlacedEvent[]): readonly PlacedEvent[] {
  const joined: PlacedEvent[] = [];
  for (let index = 0; index < events.length;) {
    const first = events[index] as PlacedEvent;
    const begun = textIn(first.event);
    const texts = begun ? [begun.text] : [];
    let last = first;
    for (index++; begun && index < events.length; index++) {
      const next = events[index] as PlacedEvent;
      const more = textIn(next.event);
      if (!more || more.kind !== begun.kind || more.messageId !== begun.messageId) break;
      texts.push(more.text);
      last = next;
    }
    joined.push(texts.length > 1 ? { ...last, event: withText(first.event, texts.join('')) } : first);
  }
  return joined;
}

function textIn(event: SessionEvent): Text | undefined {
  if (event.type !== 'update' || event.isReplay) return undefined;
  const { update } = event;
  const { sessionUpdate: kind } = update;
  if (kind !== 'agent_message_chunk' && kind !== 'agent_thought_chunk') return undefined;
  const { content, messageId } = update;
  const isPlain = content.type === 'text' && Object.keys(content).length === 2;
  return isPlain && Object.keys(update).every((key) => plain.has(key))
    ? { kind, messageId, text: content.text }
    : undefined;
}

function withText(event: SessionEvent, text: string): SessionEvent {
  if (event.type !== 'update') return event;
  return { ...event, update: { ...event.update, content: { type: 'text', text } } as typeof event.update };
}
