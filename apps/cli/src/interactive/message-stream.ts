import type { MessageEntry } from '@turnwire/client/transcript';
import { contentText } from '@turnwire/client/view';
import { TextCleaner } from '../terminal/clean-text.ts';
import { MarkdownStream } from '../output/markdown/markdown-stream.ts';
import type { Page } from '../terminal/page.ts';

/** Renders a growing message as lines. Printed lines are not processed again. */
export class MessageStream {
  readonly #cleaner = new TextCleaner();
  readonly #markdown = new MarkdownStream();
  #block = 0;
  #offset = 0;

  /** Adds the new content of the message since the last call. */
  follow({ content }: MessageEntry): void {
    for (; this.#block < content.length; this.#block++) {
      const block = content[this.#block];
      if (block === undefined) return;
      const text = contentText(block);
      if (text.length > this.#offset) this.#markdown.push(this.#cleaner.push(text.slice(this.#offset)));
      this.#offset = text.length;
      // The last block may grow.
      if (this.#block === content.length - 1) return;
      this.#markdown.push('\n\n');
      this.#offset = 0;
    }
  }

  take(page: Page): string[] {
    return this.#markdown.take(page);
  }

  live(page: Page): string[] {
    return this.#markdown.live(page);
  }

  end(page: Page): string[] {
    this.#markdown.push(this.#cleaner.end());
    return this.#markdown.end(page);
  }
}
