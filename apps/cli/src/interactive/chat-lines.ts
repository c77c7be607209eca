import type { TranscriptView } from '@turnwire/client/transcript';
import { highlighter } from '../terminal/highlighter.ts';
import type { Look } from './entries/look.ts';
import { Scrollback } from './scrollback.ts';

/** What a chat prints for good, above what still changes: the transcript of its session, and what the chat itself says in between. */
export class ChatLines {
  #scrollback = new Scrollback({ isFirst: false });
  /** Not printed yet. */
  #said: string[] = [];

  say(lines: readonly string[]): void {
    this.#said.push(...lines);
  }

  /** Another session is shown from here on. */
  beginAgain(): void {
    this.#scrollback = new Scrollback({ isFirst: false });
  }

  /** The lines that are complete since the last call; if there are very many, only some of them. */
  take(transcript: TranscriptView, look: Look): { readonly lines: readonly string[]; readonly isAll: boolean } {
    // What is printed stays as it is: code waits for its colours.
    const nothing = { lines: [], isAll: true };
    const { lines, isAll } = highlighter.isLoading ? nothing : this.#scrollback.take(transcript, look);
    return { lines: [...this.#takeSaid(), ...lines], isAll };
  }

  /** The last lines, in the colours that there are. */
  takeLast(transcript: TranscriptView, look: Look): readonly string[] {
    return [...this.#takeSaid(), ...this.#scrollback.take(transcript, look).lines];
  }

  /** The lines that may still change. */
  live(transcript: TranscriptView, spinner: string, look: Look): string[] {
    return this.#scrollback.live(transcript, spinner, look);
  }

  #takeSaid(): readonly string[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }
}
