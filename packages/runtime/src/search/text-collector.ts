import type { SessionEvent } from '@turnwire/client/gateway';
import { commandOf } from '@turnwire/client/transcript';
import type { ContentBlock, ContentChunk } from '@turnwire/protocol';
import type { PlacedEvent } from '../log/session-event.ts';
import { longestPassage, type Passage, passagesOf } from '../texts/passage.ts';

/** A text that may become longer: a message whose chunks arrive, or a tool call. */
interface GrowingText extends Omit<Passage, 'text'> {
  text: string;
  /** The agent's id of the message or the call. */
  readonly id: string | null | undefined;
  /** The parts of a tool call's text. */
  parts?: readonly string[];
}

/** The maximum length of the text of a tool call, in UTF-16 units. An agent may report a call any number of times. */
const longestCall = 4 * longestPassage;

/** Where and when a text begins. */
type PlacedTime = Pick<Passage, 'epoch' | 'sequence' | 'at'>;

/** A tool call, or a report on one. */
interface ToolCallReport {
  readonly toolCallId: string;
  readonly title?: string | null | undefined;
  readonly rawInput?: unknown;
}

/** Collects the texts of a session from its events: chunks of a message are one text, and so are the reports on a tool call. */
export class TextCollector {
  #texts: GrowingText[] = [];
  #length = 0;

  /** The number of collected texts. */
  get size(): number {
    return this.#texts.length;
  }

  /** The length of the collected prompts and messages, in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  add({ event, epoch, sequence }: PlacedEvent): void {
    const cursor = { epoch, sequence, at: event.at };
    if (event.type === 'prompt') this.#begin({ kind: 'prompt', ...cursor, id: undefined }, textIn(event.content));
    else if (event.type === 'update') this.#addUpdate(event, cursor);
  }

  /** Returns the texts so far as passages, and forgets them. */
  take(): readonly Passage[] {
    const texts = this.#texts;
    this.#texts = [];
    this.#length = 0;
    return texts.flatMap(({ text, kind, at, epoch, sequence }) => passagesOf(text, { kind, at, epoch, sequence }));
  }

  #addUpdate({ update, isReplay }: Extract<SessionEvent, { readonly type: 'update' }>, cursor: PlacedTime): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#addChunk(update, { kind: 'message', ...cursor });
      case 'user_message_chunk':
        // In a turn the agent only repeats the prompt.
        return isReplay ? this.#addChunk(update, { kind: 'prompt', ...cursor }) : undefined;
      case 'tool_call':
      case 'tool_call_update':
        return this.#addCall(update, { kind: 'call', ...cursor });
      default:
        return undefined;
    }
  }

  #addChunk({ content, messageId }: ContentChunk, begun: Omit<GrowingText, 'text' | 'id'>): void {
    if (content.type !== 'text') return;
    const open = this.#texts.at(-1);
    const isSame = open?.kind === begun.kind && open.id === messageId && open.text.length < longestPassage;
    if (isSame) {
      open.text += content.text;
      this.#length += content.text.length;
    } else this.#begin({ ...begun, id: messageId }, content.text);
  }

  #addCall({ toolCallId, title, rawInput }: ToolCallReport, begun: Omit<GrowingText, 'text' | 'id'>): void {
    const open = this.#texts.findLast(({ kind, id }) => kind === 'call' && id === toolCallId);
    const reported = [title ?? '', commandOf(rawInput) ?? ''].map((part) => part.slice(0, longestCall));
    const parts = reported.reduce(withPart, open?.parts ?? []);
    if (parts === open?.parts) return;
    const text = parts.join('\n');
    if (open) Object.assign(open, { parts, text });
    else this.#begin({ ...begun, id: toolCallId, parts }, text);
  }

  #begin(begun: Omit<GrowingText, 'text'>, text: string): void {
    if (text === '') return;
    this.#texts.push({ ...begun, text });
    this.#length += text.length;
  }
}

function textIn(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Adds a part that is new. A part that has grown, as the input of a call that arrives in pieces, replaces its beginning. */
function withPart(parts: readonly string[], part: string): readonly string[] {
  if (part === '' || parts.some((each) => each.includes(part))) return parts;
  const others = parts.filter((each) => !part.startsWith(each));
  const length = others.reduce((sum, each) => sum + each.length, part.length);
  return length > longestCall ? parts : [...others, part];
}
