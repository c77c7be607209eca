import type { TranscriptView } from '@turnwire/client/transcript';
import { highlighter } from '../terminal/highlighter.ts';
import type { RenderOptions } from './entries/render-options.ts';
import { Scrollback } from './scrollback.ts';

/** The lines that a chat prints once, above the live region: the transcript of its session, and messages of the chat itself. */
export class ChatLines {
  #scrollback = new Scrollback({ isFirst: false });
  /** Messages of the chat that are not printed yet. */
  #said: string[] = [];

  say(lines: readonly string[]): void {
    this.#said.push(...lines);
  }

  /** Starts the transcript of another session. */
  beginAgain(): void {
    this.#scrollback = new Scrollback({ isFirst: false });
  }

  /** The newly completed lines; if there are very many, only some of them. */
  take(
    transcript: TranscriptView,
    options: RenderOptions,
  ): { readonly lines: readonly string[]; readonly isAll: boolean } {
    // A printed line cannot change, so wait for the colours of code.
    const nothing = { lines: [], isAll: true };
    const { lines, isAll } = highlighter.isLoading ? nothing : this.#scrollback.take(transcript, options);
    return { lines: [...this.#takeSaid(), ...lines], isAll };
  }

  /** The last lines, even if the highlighter is not loaded yet. */
  takeLast(transcript: TranscriptView, options: RenderOptions): readonly string[] {
    return [...this.#takeSaid(), ...this.#scrollback.take(transcript, options).lines];
  }

  /** The lines that may still change. */
  live(transcript: TranscriptView, spinner: string, options: RenderOptions): string[] {
    return this.#scrollback.live(transcript, spinner, options);
  }

  #takeSaid(): readonly string[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }
}
