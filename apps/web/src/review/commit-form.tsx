import { type ReactNode, useState } from 'react';
import type { ReviewOverview } from '@turnwire/protocol';
import type { ReviewStore } from './review-store.ts';

/** Commits the accepted files. */
export function CommitForm({
  store,
  commit,
  isBusy,
}: {
  readonly store: ReviewStore;
  readonly commit: ReviewOverview['commit'];
  readonly isBusy: boolean;
}): ReactNode {
  const [message, setMessage] = useState<string>();
  const [report, setReport] = useState('');
  if (!commit) return report === '' ? null : <p role="status">{report}</p>;
  const { files } = commit;
  const text = message ?? commit.message;
  const make = async (): Promise<void> => {
    const made = await store.commit(text.trim());
    setReport(made);
    // After a failure, the user tries again with the same message.
    if (made !== '') setMessage(undefined);
  };
  return (
    <form
      className="commit-form"
      onSubmit={(form) => {
        form.preventDefault();
        void make();
      }}
    >
      <input
        aria-label="Message of the commit"
        dir="auto"
        maxLength={20_000}
        required
        value={text}
        onChange={({ target }) => setMessage(target.value)}
      />
      <button type="submit" className="plain-button" disabled={isBusy} title={files.join('\n')}>
        Commit {files.length === 1 ? 'one accepted file' : `${files.length} accepted files`}
      </button>
    </form>
  );
}
