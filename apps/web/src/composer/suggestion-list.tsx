import { type ReactNode, useEffect, useRef } from 'react';
import type { Suggestion, Suggestions } from './suggestions.ts';

/** Suggestions above the editor. The editor keeps the focus. */
export function SuggestionList({
  suggestions: { list, count },
  chosen,
  onTake,
}: {
  readonly suggestions: Suggestions;
  readonly chosen: number;
  readonly onTake: (suggestion: Suggestion) => void;
}): ReactNode {
  const options = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // New browsers return a promise, which React would mistake for a cleanup function.
    void options.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen, list]);
  return (
    <div className="suggestions">
      <ul ref={options} id="suggestions" role="listbox" aria-label="Suggestions">
        {list.map((suggestion, index) => (
          <li
            key={suggestion.label}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === chosen}
            // The editor keeps the focus.
            onMouseDown={(mouse) => mouse.preventDefault()}
            onClick={() => onTake(suggestion)}
          >
            <span className="suggested">{suggestion.label}</span>
            <span className="faint">{suggestion.description}</span>
          </li>
        ))}
      </ul>
      <p className="faint" role="status">
        {count > list.length ? `The first ${list.length} of ${count}` : `${count} found`}
      </p>
    </div>
  );
}
