import { type ReactNode, type RefObject, useEffect } from 'react';
import { prefer, preferences } from './state/preferences.ts';
import { useStorePart } from './state/use-store.ts';

/** On macOS, Ctrl-K deletes to the end of the line. */
const isMac = /^(Mac|iP)/.test(navigator.platform);

const keys: readonly (readonly [keys: string, meaning: string])[] = [
  ['Enter', 'Send the prompt, or queue it while a turn runs'],
  ['Shift Enter', 'A new line'],
  ['Esc', 'Cancel the turn, from the editor'],
  ['↑ ↓', 'Recall earlier prompts, from an empty editor'],
  ['/ and @', 'At the beginning, a command; anywhere, a file'],
  ['Tab', 'Accept the suggestion'],
  ['q', 'Move to the question of the agent'],
  ['y', 'Allow once, in a question'],
  ['n', 'Reject, in a question; elsewhere, a new session'],
  ['e', 'Move to the editor'],
  ['s', 'Filter the list of sessions'],
  [isMac ? '⌘ K' : 'Ctrl K', 'Search sessions, their texts, and actions, from anywhere'],
  ['?', 'This list'],
];

/**
 * Handles the keys of the page, and lists them in a dialog. Keys without a modifier do nothing while the user types. The user can turn them
 * off, because speech input or involuntary key presses would trigger them constantly.
 */
export function KeyboardSheet({
  dialog,
  onNew,
  onSearch,
  onFind,
}: {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly onNew: () => void;
  readonly onSearch: () => void;
  /** Opens the palette. */
  readonly onFind: () => void;
}): ReactNode {
  const hasLetterKeys = useStorePart(preferences, (preferred) => preferred.hasLetterKeys);
  useEffect(() => {
    const actions: Readonly<Record<string, () => void>> = {
      '?': () => dialog.current?.showModal(),
      e: () => document.querySelector<HTMLElement>('[aria-label="Prompt"]')?.focus(),
      q: () => document.querySelector<HTMLElement>('.permission, .elicitation')?.focus(),
      // With an open question the key was probably meant as its answer.
      n: () => document.querySelector('.permission') ?? onNew(),
      s: onSearch,
    };
    const actionOf = (key: KeyboardEvent): (() => void) | undefined => {
      if (key.key === 'k' && (isMac ? key.metaKey : key.ctrlKey)) return onFind;
      const isLetter = !key.ctrlKey && !key.metaKey && !key.altKey && !isTyping(key.target);
      return isLetter && hasLetterKeys ? actions[key.key] : undefined;
    };
    const onKey = (key: KeyboardEvent): void => {
      const action = actionOf(key);
      if (!action || document.querySelector('dialog[open]')) return;
      key.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [dialog, hasLetterKeys, onFind, onNew, onSearch]);
  return (
    <dialog ref={dialog} aria-label="Keys" closedby="any">
      <h2>Keys</h2>
      <dl className="keys">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="switch">
        <input
          type="checkbox"
          checked={hasLetterKeys}
          onChange={({ target }) => prefer({ hasLetterKeys: target.checked })}
        />
        Use the keys that are a single character
      </label>
      <button type="button" className="plain-button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}
