import type { PermissionOption } from '@turnwire/protocol';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';
import type { OpenQuestion } from '../state/questions.ts';
import { type JudgedFacts, judgedFacts } from './judged-facts.ts';

const FileDiff = lazy(() =>
  import('../transcript/file-diff.tsx').then(({ FileDiff: component }) => ({ default: component })),
);

/**
 * What the agent wants to do: the exact command or change, as it was judged, and what each answer does. It cannot be answered before that is
 * shown.
 */
export function PermissionCard({
  question: { request, answer },
}: {
  readonly question: OpenQuestion & { readonly type: 'permission' };
}): ReactNode {
  const card = useRef<HTMLDivElement>(null);
  const facts = judgedFacts(request);
  useEffect(() => card.current?.focus(), []);
  return (
    <div className="permission" ref={card} tabIndex={-1}>
      <h2>{facts.heading}</h2>
      <Suspense fallback={<p className="faint">Loading what it is about…</p>}>
        <Facts facts={facts} />
        <Answers options={request.options} answer={answer} />
      </Suspense>
    </div>
  );
}

interface AnswersProps {
  readonly options: readonly PermissionOption[];
  readonly answer: (option: PermissionOption) => void;
}

/** The digits on the buttons answer too; the focus is on none of them, so that nothing that is typed is taken for an answer. */
function Answers({ options, answer }: AnswersProps): ReactNode {
  useEffect(() => {
    const onKey = (key: KeyboardEvent): void => {
      const option = isAnswer(key) ? options[Number(key.key) - 1] : undefined;
      if (!option) return;
      key.preventDefault();
      answer(option);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [options, answer]);
  return (
    <div className="answers">
      {options.map((option, place) => (
        <button key={option.optionId} type="button" className={look(option)} onClick={() => answer(option)}>
          <kbd aria-hidden="true">{place + 1}</kbd> <VisibleText text={option.name} />
        </button>
      ))}
    </div>
  );
}

/** A digit that is not typed into an editor with text in it. */
function isAnswer({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (!/^[1-9]$/.test(key) || ctrlKey || metaKey || altKey) return false;
  return !(target instanceof HTMLElement && target.closest('input, textarea, select') !== null);
}

function look({ kind }: PermissionOption): string {
  return kind === 'allow_once' ? 'primary' : kind.startsWith('allow') ? 'plain-button' : 'refuse';
}

function Facts({ facts }: { readonly facts: JudgedFacts }): ReactNode {
  const { command, folder, url, paths, diffs, input, notes, reason, title } = facts;
  // A path that stands in the command is there to see.
  const unseenPaths = paths.filter(({ path, caution }) => caution !== undefined || command?.includes(path) !== true);
  return (
    <div className="facts">
      {command !== undefined && (
        <pre className="command-line">
          <VisibleText text={command} />
        </pre>
      )}
      {folder !== undefined && (
        <p className="faint">
          in <VisibleText text={folder} />
        </p>
      )}
      {url !== undefined && (
        <pre className="command-line">
          <VisibleText text={url} />
        </pre>
      )}
      {diffs.length === 0 && unseenPaths.length > 0 && (
        <ul className="locations">
          {unseenPaths.map(({ path, caution }) => (
            <li key={path}>
              <VisibleText text={path} />
              {caution !== undefined && <strong className="caution"> {caution}</strong>}
            </li>
          ))}
        </ul>
      )}
      {diffs.map(({ path, oldText, newText }) => (
        <FileDiff key={path} path={path} before={oldText ?? null} after={newText} />
      ))}
      {input !== undefined && (
        <pre className="raw">
          <VisibleText text={input} />
        </pre>
      )}
      {title !== undefined && (
        <p className="faint">
          The agent calls it: <VisibleText text={title} />
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="caution">
          <VisibleText text={note} />
        </p>
      ))}
      {reason !== undefined && (
        <p className="faint">
          <VisibleText text={reason} />
        </p>
      )}
    </div>
  );
}
