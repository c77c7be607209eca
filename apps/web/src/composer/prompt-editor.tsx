import type { AvailableCommand } from '@turnwire/protocol';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { typedIn } from '../state/prompt-text.ts';
import { useStorePart } from '../state/use-store.ts';
import { isComposing, isSendingKey, isTouchScreen } from './sending-key.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { type Suggestion, type Suggestions, suggestionsFor } from './suggestions.ts';

/** The text field of a prompt. It suggests commands and files, and recalls earlier prompts with the key ↑. */
export function PromptEditor({
  session,
  text,
  files,
  onText,
  onSend,
  onStop,
  onFiles,
}: {
  readonly session: SessionStore;
  readonly text: string;
  readonly files: readonly string[];
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Absent while no turn runs. */
  readonly onStop: (() => void) | undefined;
  readonly onFiles: (files: Iterable<File>) => void;
}): ReactNode {
  const commands = useStorePart(session.state, ({ view }) => view.commands);
  const editor = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  /** The number of prompts that the user has gone back; 0 for new text. */
  const [recalled, setRecalled] = useState(0);
  const placeCaret = useCaret(editor, text);
  const found = useSuggestions(text.slice(0, caret), commands, files);
  const suggestions = dismissed === text ? undefined : found;

  const type = (next: string, position: number): void => {
    onText(next);
    setCaret(position);
    setChosen(0);
  };
  const take = ({ text: word }: Suggestion): void => {
    if (!suggestions) return;
    const position = suggestions.from + word.length;
    type(`${text.slice(0, suggestions.from)}${word}${text.slice(caret)}`, position);
    placeCaret(position);
  };
  /** Whether the key belongs to the suggestions. */
  const isForSuggestions = ({ key }: KeyboardEvent): boolean => {
    const { list } = suggestions ?? { list: [] };
    const picked = list[chosen];
    if (!picked) return false;
    if (key === 'ArrowDown') setChosen((chosen + 1) % list.length);
    else if (key === 'ArrowUp') setChosen((chosen + list.length - 1) % list.length);
    else if (key === 'Escape') setDismissed(text);
    else if (key === 'Enter' || key === 'Tab') take(picked);
    else return false;
    return true;
  };
  const onKey = (key: KeyboardEvent): void => {
    if (isComposing(key)) return;
    if (isForSuggestions(key)) key.preventDefault();
    else if (isSendingKey(key)) {
      key.preventDefault();
      setRecalled(0);
      onSend();
    } else if (key.key === 'Escape' && onStop) onStop();
    else if (recall(key.key)) key.preventDefault();
  };
  /**
   * Recalls an earlier or a later prompt. Works from an empty editor, and as long as the recalled text is unchanged. Returns whether it
   * used the key.
   */
  const recall = (key: string): boolean => {
    const shown = recalled === 0 ? '' : promptBefore(session, recalled);
    const isAtEdge = key === 'ArrowUp' ? !text.slice(0, caret).includes('\n') : !text.slice(caret).includes('\n');
    if ((key !== 'ArrowUp' && key !== 'ArrowDown') || text !== shown || !isAtEdge) return false;
    const next = recalled + (key === 'ArrowUp' ? 1 : -1);
    const found = next === 0 ? '' : promptBefore(session, next);
    if (next < 0 || found === undefined) return false;
    setRecalled(next);
    type(found, found.length);
    return true;
  };
  const onPaste = (paste: ClipboardEvent): void => {
    if (paste.clipboardData.files.length === 0) return;
    paste.preventDefault();
    onFiles(paste.clipboardData.files);
  };
  return (
    <>
      {suggestions && <SuggestionList suggestions={suggestions} chosen={chosen} onTake={take} />}
      <textarea
        ref={editor}
        aria-label="Prompt"
        aria-haspopup="listbox"
        aria-controls={suggestions && 'suggestions'}
        aria-activedescendant={suggestions && `suggestion-${chosen}`}
        aria-autocomplete="list"
        placeholder="Ask for a change, or ask a question"
        dir="auto"
        rows={1}
        value={text}
        enterKeyHint={isTouchScreen ? 'enter' : 'send'}
        onChange={({ target }) => {
          setRecalled(0);
          type(target.value, target.selectionStart);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
    </>
  );
}

/** Recomputes suggestions only if their inputs have changed: a streaming agent renders the editor many times a second. */
function useSuggestions(
  before: string,
  commands: readonly AvailableCommand[],
  files: readonly string[],
): Suggestions | undefined {
  return useMemo(() => suggestionsFor(before, { commands, files }), [before, commands, files]);
}

/**
 * Fits the height of the editor to its text. The returned function sets the cursor of the next text in the same commit, because the user
 * may press another key before the next frame.
 */
function useCaret(editor: RefObject<HTMLTextAreaElement | null>, text: string): (position: number) => void {
  const nextCaret = useRef<number>(undefined);
  useLayoutEffect(() => {
    fitHeight(editor.current);
    if (nextCaret.current !== undefined) editor.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  }, [editor, text]);
  return (position) => {
    nextCaret.current = position;
  };
}

function fitHeight(editor: HTMLTextAreaElement | null): void {
  if (!editor) return;
  editor.style.height = 'auto';
  editor.style.height = `${editor.scrollHeight}px`;
}

/** The text of an earlier prompt; 1 is the last one. */
function promptBefore(session: SessionStore, count: number): string | undefined {
  const { entries } = session.state.current.view;
  let left = count;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries.at(index);
    if (entry?.type === 'user' && --left === 0) return typedIn(entry.content);
  }
  return undefined;
}
