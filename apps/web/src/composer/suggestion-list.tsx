import type { ReactNode } from 'react';
import type { Suggestion } from './suggestions.ts';

/** Suggestions above the editor, which keeps the focus. */
export function SuggestionList({
  list,
  chosen,
  onTake,
}: {
  readonly list: readonly Suggestion[];
  readonly chosen: number;
  readonly onTake: (suggestion: Suggestion) => void;
}): ReactNode {
  return (
    <ul id="suggestions" role="listbox" aria-label="Suggestions" className="suggestions">
      {list.map((suggestion, place) => (
        <li
          key={suggestion.label}
          id={`suggestion-${place}`}
          role="option"
          aria-selected={place === chosen}
          onPointerDown={(pointer) => {
            // The editor keeps the focus.
            pointer.preventDefault();
            onTake(suggestion);
          }}
        >
          <span>{suggestion.label}</span>
          <span className="faint">{suggestion.description}</span>
        </li>
      ))}
    </ul>
  );
}
