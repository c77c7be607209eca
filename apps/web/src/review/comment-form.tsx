import type { ReactNode } from 'react';
import { isSendingKey } from '../composer/sending-key.ts';

/** A comment that the user writes. */
export interface CommentDraft {
  /** The line below which the form is. */
  readonly at: number;
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** A comment on lines of a file, for the agent. Shift and a click on another line number select more lines. */
export function CommentForm({
  path,
  draft,
  isBusy,
  onChange,
  onAdd,
  onClose,
}: {
  readonly path: string;
  readonly draft: CommentDraft;
  readonly isBusy: boolean;
  readonly onChange: (draft: CommentDraft) => void;
  readonly onAdd: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { first, last, text } = draft;
  const isEmpty = text.trim() === '';
  return (
    <form
      className="comment-form"
      onSubmit={(form) => {
        form.preventDefault();
        if (!isEmpty) onAdd();
      }}
    >
      <textarea
        aria-label={`Comment on ${path}, line ${first}`}
        placeholder="What should the agent change?"
        dir="auto"
        rows={2}
        maxLength={20_000}
        autoFocus
        value={text}
        onChange={({ target }) => onChange({ ...draft, text: target.value })}
        onKeyDown={(key) => {
          if (key.key === 'Escape') onClose();
          if (!isSendingKey(key)) return;
          key.preventDefault();
          key.currentTarget.form?.requestSubmit();
        }}
      />
      <label>
        Lines {first} to{' '}
        <input
          type="number"
          min={first}
          value={last}
          onChange={({ target }) => onChange({ ...draft, last: Math.max(first, target.valueAsNumber || first) })}
        />
      </label>
      <button type="submit" className="plain-button" disabled={isBusy || isEmpty}>
        Add comment
      </button>
      <button type="button" className="bare" onClick={onClose}>
        Cancel
      </button>
    </form>
  );
}
