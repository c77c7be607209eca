import { errorText } from '@turnwire/client/error-text';
import { type UsageCells, usageCells, usageTotal } from '@turnwire/client/view';
import { type UsageDimension, usageDimensions, type UsageRow } from '@turnwire/protocol';
import { type ReactNode, useRef, useState } from 'react';
import { Failure } from '../parts/failure.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import type { ListedSession } from '../state/listed-session.ts';
import type { PageStore } from '../state/page-store.ts';

/** The periods to choose from, with their number of days. Undefined: all days. */
const periods: readonly (readonly [name: string, days: number | undefined])[] = [
  ['today', 1],
  ['the last 7 days', 7],
  ['the last 30 days', 30],
  ['all days', undefined],
];

/** The grouping and the period that the user chose. */
interface Choice {
  readonly by: UsageDimension;
  /** Its index in the list of periods. */
  readonly period: number;
}

/** The answer of the server to a choice. */
interface Answer extends Pick<Choice, 'by'> {
  /** Absent: the request failed. */
  readonly rows?: readonly UsageRow[];
  /** Empty: the request succeeded. */
  readonly failure: string;
}

/** The dialog with the usage of the user: turns, time, tokens and cost. */
export function UsageDialog({
  page,
  sessions,
}: {
  readonly page: PageStore;
  readonly sessions: readonly ListedSession[];
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState<Choice>({ by: 'day', period: 2 });
  const [answer, setAnswer] = useState<Answer>();
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(choice);
  const load = (chosen: Choice): void => {
    const { by, period } = chosen;
    const days = periods[period]?.[1];
    const show = (loaded: Answer): void => {
      if (latest.current === chosen) setAnswer(loaded);
    };
    latest.current = chosen;
    setChoice(chosen);
    page.usage({ by, ...(days !== undefined && { days }) }).then(
      (rows) => show({ by, rows, failure: '' }),
      (error: unknown) => show({ by, failure: errorText(error) }),
    );
  };
  const open = (): void => {
    dialog.current?.showModal();
    setOpen(true);
    load({ ...choice });
  };
  return (
    <>
      <button type="button" className="bare" onClick={open}>
        Usage
      </button>
      <dialog ref={dialog} className="usage-dialog" aria-label="Usage" closedby="any" onClose={() => setOpen(false)}>
        {isOpen && (
          <div className="stack">
            <h2>Usage</h2>
            <div className="usage-choice">
              <label>
                By{' '}
                <select
                  value={choice.by}
                  onChange={({ target }) => load({ ...choice, by: target.value as UsageDimension })}
                >
                  {usageDimensions.map((each) => (
                    <option key={each}>{each}</option>
                  ))}
                </select>
              </label>
              <label>
                of{' '}
                <select
                  value={choice.period}
                  onChange={({ target }) => load({ ...choice, period: Number(target.value) })}
                >
                  {periods.map(([name], index) => (
                    <option key={name} value={index}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            {answer?.rows?.length === 0 && <p>No turns yet.</p>}
            {answer?.rows && answer.rows.length > 0 && (
              <UsageTable by={answer.by} rows={answer.rows} sessions={sessions} />
            )}
            <Failure text={answer?.failure ?? ''} />
            <button type="button" className="bare" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        )}
      </dialog>
    </>
  );
}

function UsageTable({
  by,
  rows,
  sessions,
}: {
  readonly by: UsageDimension;
  readonly rows: readonly UsageRow[];
  readonly sessions: readonly ListedSession[];
}): ReactNode {
  const title = ({ key }: UsageRow): string | undefined =>
    by === 'session' ? (sessions.find(({ id }) => id === key)?.title ?? key?.slice(0, 8)) : undefined;
  return (
    <div className="usage-scroll" tabIndex={0} role="region" aria-label="Table of usage">
      <table className="usage-table">
        <thead>
          <tr>
            <th scope="col">{by}</th>
            <th scope="col">turns</th>
            <th scope="col" className="usage-time">
              time
            </th>
            <th scope="col">tokens</th>
            <th scope="col">cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <UsageLine key={row.key} cells={usageCells(row)} title={title(row)} />
          ))}
        </tbody>
        {rows.length > 1 && (
          <tfoot>
            <UsageLine cells={usageCells({ ...usageTotal(rows), key: 'total' })} />
          </tfoot>
        )}
      </table>
    </div>
  );
}

function UsageLine({ cells, title }: { readonly cells: UsageCells; readonly title?: string | undefined }): ReactNode {
  return (
    <tr>
      <th scope="row">
        <VisibleText text={title ?? cells.key} />
      </th>
      <td>{cells.turns}</td>
      <td className="usage-time">{cells.time}</td>
      <td>{cells.tokens}</td>
      <td>{cells.cost}</td>
    </tr>
  );
}
