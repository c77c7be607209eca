import { basename, extname } from 'node:path';
import type { highlightedLines } from './highlight.ts';
import type { StyledText } from './paint.ts';

/** The maximum length of a highlighted text and of one of its lines, in UTF-16 units. */
const longest = { text: 200_000, line: 2_000 };

/** Highlights code once the grammars are loaded. Loading takes tens of milliseconds, so it must not delay the start. */
class Highlighter {
  #lines: typeof highlightedLines | undefined;
  #isAsked = false;

  /** Whether the grammars are being loaded. Output that is printed once should wait for them. */
  get isLoading(): boolean {
    return this.#isAsked && this.#lines === undefined;
  }

  /** Loads the grammars and then calls back. Further calls have no effect. If loading fails, code stays unstyled. */
  load(loaded: () => void): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    import('./highlight.ts')
      .then(
        (module) => void (this.#lines = module.highlightedLines),
        () => void (this.#lines = () => undefined),
      )
      .finally(loaded)
      .catch(() => undefined);
  }

  /** Lines of code with the styles of their parts. */
  lines(code: readonly string[], language: string): readonly (readonly StyledText[])[] {
    const text = code.join('\n');
    const isShort = text.length <= longest.text && code.every((line) => line.length <= longest.line);
    const found = isShort && language !== '' ? this.#lines?.(text, language.toLowerCase()) : undefined;
    return found?.length === code.length ? found : code.map((line) => [{ text: line }]);
  }
}

/** The highlighter of this process. */
export const highlighter: Highlighter = new Highlighter();

/** The language of a file, derived from its name. */
export function languageOf(path: string): string {
  return extname(path).slice(1) || basename(path);
}
