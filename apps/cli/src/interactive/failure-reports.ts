import type { ChatSession } from '../sessions/chat-session.ts';
import { cleanText } from '../terminal/clean-text.ts';
import type { Page } from '../terminal/page.ts';
import { wrapWords } from '../terminal/text-width.ts';

/** Prints the reason of each failure once above the live region, because it does not fit in the status line. */
export class FailureReports {
  #reported: unknown;

  /** The lines for a failure state that was not reported yet. */
  take({ state, transcript }: ChatSession, page: Page): readonly string[] {
    if (state === this.#reported) return [];
    this.#reported = state;
    if (state.name !== 'dead' && state.name !== 'login-needed' && state.name !== 'reconnecting') return [];
    if (state.name === 'reconnecting' && state.attempt > 1) return [];
    const last = transcript.entries.at(transcript.entries.length - 1);
    if (last?.type === 'turn-end' && last.error === state.message) return [];
    const lines = cleanText(state.message).trimEnd().split('\n');
    const wrapped = lines.flatMap((line) => wrapWords(line, page.width - 2));
    return ['', ...wrapped.map((line, index) => page.paint('red', `${index === 0 ? '✗ ' : '  '}${line}`))];
  }
}
