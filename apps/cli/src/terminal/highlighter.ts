import { basename, extname } from 'node:path';
import type { highlightedLines } from './highlight.ts';
import type { StyledText } from './paint.ts';

/** Longer texts are not highlighted, in UTF-16 units: of the whole, and of one line. */
const longest = { text: 200_000, line: 2_000 };

/** Highlights code, once the grammars are loaded: they take tens of milliseconds, which no start should wait for. */
class Highlighter {
  #lines: typeof highlightedLines | undefined;
  #isAsked = false;

  /** Whether it is being loaded. What is printed once should wait for it. */
  get isLoading(): boolean {
    return this.#isAsked && this.#lines === undefined;
  }

  /** Loads the grammars, and calls back once that is done. The first call counts. Without them code stays as it is. */
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

/** The name of the language of a file, by its name. */
export function languageOf(path: string): string {
  return extname(path).slice(1) || basename(path);
}
