import { errorText } from '@turnwire/client/error-text';
import type { FoundSession } from '@turnwire/protocol';
import { useEffect, useState } from 'react';
import type { PageStore } from '../state/page-store.ts';

/** How long the user must not type before the server is asked, in milliseconds. */
const delay = 150;

/** The answer of the server to a search. */
export interface TextSearch {
  /** The text that was searched for. */
  readonly text: string;
  readonly sessions: readonly FoundSession[];
  readonly failure: string;
}

const nothing: TextSearch = { text: '', sessions: [], failure: '' };

/** Searches the texts of all sessions while the user types. Shows the last answer until the next one. */
export function useTextSearch(page: PageStore, typed: string): TextSearch {
  const text = typed.trim();
  const [answer, setAnswer] = useState(nothing);
  useEffect(() => {
    if (text === '') return undefined;
    let isCurrent = true;
    const show = (next: TextSearch): void => {
      if (isCurrent) setAnswer(next);
    };
    const search = (): void =>
      void page.search(text).then(
        (sessions) => show({ text, sessions, failure: '' }),
        (error: unknown) => show({ text, sessions: [], failure: errorText(error) }),
      );
    const timer = setTimeout(search, delay);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [page, text]);
  return text === '' ? nothing : answer;
}
