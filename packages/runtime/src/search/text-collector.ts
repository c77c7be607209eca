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
}

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

  /** The number of collected texts. */
  get size(): number {
    return this.#texts.length;
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
    if (isSame) open.text += content.text;
    else this.#begin({ ...begun, id: messageId }, content.text);
  }

  #addCall({ toolCallId, title, rawInput }: ToolCallReport, begun: Omit<GrowingText, 'text' | 'id'>): void {
    const lines = [title ?? '', commandOf(rawInput) ?? ''];
    const open = this.#texts.findLast(({ kind, id }) => kind === 'call' && id === toolCallId);
    if (open) open.text = withLines(open.text, lines);
    else this.#begin({ ...begun, id: toolCallId }, withLines('', lines));
  }

  #begin(begun: Omit<GrowingText, 'text'>, text: string): void {
    if (text !== '') this.#texts.push({ ...begun, text });
  }
}

function textIn(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function withLines(text: string, lines: readonly string[]): string {
  return lines.reduce((sum, line) => (sum.includes(line) ? sum : `${sum}\n${line}`.trim()), text);
}
