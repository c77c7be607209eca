import { type ReactNode, useEffect, useRef } from 'react';

const keys: readonly (readonly [keys: string, meaning: string])[] = [
  ['Enter', 'Send the prompt, or queue it while a turn runs'],
  ['Shift Enter', 'A new line'],
  ['Esc', 'Cancel the turn, from the editor'],
  ['↑ ↓', 'The prompts before, from an empty editor'],
  ['/ and @', 'At the beginning, a command; anywhere, a file'],
  ['Tab', 'Take what is suggested'],
  ['q', 'To the question of the agent'],
  ['y', 'Allow once, in a question'],
  ['n', 'Reject, in a question; elsewhere, a new session'],
  ['e', 'To the editor'],
  ['s', 'Search the sessions'],
  ['?', 'This list'],
];

/** The keys, and the dialog that lists them. Keys without a modifier do nothing while something is typed. */
export function KeyboardSheet({ onNew }: { readonly onNew: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const actions: Readonly<Record<string, () => void>> = {
      '?': () => dialog.current?.showModal(),
      e: () => document.querySelector<HTMLElement>('[aria-label="Prompt"]')?.focus(),
      q: () => document.querySelector<HTMLElement>('.permission, .elicitation')?.focus(),
      // With a question open it was probably meant as its answer.
      n: () => document.querySelector('.permission') ?? onNew(),
      s: () => document.querySelector<HTMLElement>('[type="search"]')?.focus(),
    };
    const onKey = (key: KeyboardEvent): void => {
      if (key.ctrlKey || key.metaKey || key.altKey || isTyping(key.target)) return;
      const action = actions[key.key];
      if (!action || document.querySelector('dialog[open]')) return;
      key.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onNew]);
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
      <button type="button" className="plain-button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}
