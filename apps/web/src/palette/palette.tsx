import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { isComposing } from '../composer/sending-key.ts';
import { Failure } from '../parts/failure.tsx';
import { MarkedText } from '../parts/marked-text.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import type { PageStore } from '../state/page-store.ts';
import { useStore } from '../state/use-store.ts';
import { type Choice, choiceGroups, type PaletteActions } from './choices.ts';
import { useTextSearch } from './use-text-search.ts';

/** Finds sessions by title and by text, actions and agents, with the keyboard alone. */
export function Palette({
  page,
  onClose,
  onKeys,
}: { readonly page: PageStore; readonly onClose: () => void } & PaletteActions): ReactNode {
  useStore(page.state);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const found = useTextSearch(page, typed);
  const groups = choiceGroups(page, { typed, found, onKeys });
  const all = groups.flatMap(({ choices }) => choices);
  const current = Math.min(chosen, all.length - 1);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing returns the focus.
    return () => element?.close();
  }, []);
  useLayoutEffect(() => {
    void dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current, all.length]);
  const take = ({ choose }: Choice): void => {
    // First, so that a dialog that opens next returns the focus to the element before the palette.
    dialog.current?.close();
    choose();
  };
  const onKey = (key: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[key.key];
    const choice = all[current];
    if (step !== undefined) setChosen((current + step + all.length) % Math.max(all.length, 1));
    else if (key.key === 'Enter' && !isComposing(key) && choice) take(choice);
    else return;
    key.preventDefault();
  };
  return (
    <dialog ref={dialog} className="palette" aria-label="Go to" closedby="any" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Search sessions, texts and actions"
        aria-expanded={all.length > 0}
        aria-controls="palette-choices"
        aria-activedescendant={all.length > 0 ? `choice-${current}` : undefined}
        placeholder="Search sessions, texts and actions"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div className="choices" id="palette-choices" role="listbox" aria-label="Found">
        {groups.map(({ title, choices }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="choices-title" aria-hidden="true">
              {title}
            </div>
            {choices.map((choice) => {
              const index = all.indexOf(choice);
              return (
                <ChoiceRow
                  key={choice.key}
                  choice={choice}
                  id={`choice-${index}`}
                  isCurrent={index === current}
                  onTake={() => take(choice)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <Failure text={found.failure} />
      <p className="faint" role="status">
        {all.length === 0 ? 'Nothing found' : `${all.length} found`}
      </p>
    </dialog>
  );
}

function ChoiceRow({
  choice: { title, facts, match },
  id,
  isCurrent,
  onTake,
}: {
  readonly choice: Choice;
  readonly id: string;
  readonly isCurrent: boolean;
  readonly onTake: () => void;
}): ReactNode {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      className="choice"
      // The field keeps the focus.
      onMouseDown={(mouse) => mouse.preventDefault()}
      onClick={onTake}
    >
      <span className="choice-title">
        <VisibleText text={title} isProse />
      </span>
      <span className="faint">
        <VisibleText text={facts} isProse />
      </span>
      {match && (
        <span className="choice-text">
          <MarkedText text={match.text} marks={match.marks} />
        </span>
      )}
    </div>
  );
}
