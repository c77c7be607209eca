import type { OpenQuestion } from '@turnwire/client/gateway';
import { permissionFacts, reportedFacts } from '@turnwire/client/view';
import { type PermissionOption, type RequestPermissionRequest, takesFeedback, turnwireMeta } from '@turnwire/protocol';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { VisibleText } from '../parts/visible-text.tsx';

const Facts = lazy(() => import('./facts.tsx').then((module) => ({ default: module.Facts })));

/** A card ignores answers during this time, in milliseconds: a key or click right after it appears was meant for something else. */
const armingTime = 500;

/**
 * The exact command or change that the agent requests, as judged, and the effect of each answer. Keys answer only after the user has moved
 * the focus into the card, and nothing can be allowed before its end was on the screen.
 */
export function PermissionCard({
  question: { request, answer },
}: {
  readonly question: OpenQuestion & { readonly type: 'permission' };
}): ReactNode {
  const card = useFocusAfterwards();
  const isArmed = useArmed();
  const [wasSeen, setSeen] = useState(false);
  const onSeen = useCallback(() => setSeen(true), []);
  const [isSayingWhy, setSayingWhy] = useState(false);
  // A phone is too small for the question and the editor together.
  const [isLow, setLow] = useState(false);
  const facts = factsOf(request);
  const answers = answersOf(request.options);
  const canSayWhy = answers.reject !== undefined && takesFeedback(answers.reject);
  const choose = (option: PermissionOption): void => {
    if (isArmed && (wasSeen || !option.kind.startsWith('allow'))) answer(option);
  };
  const onKey = (key: KeyboardEvent): void => {
    if (isLow || isSayingWhy || key.ctrlKey || key.metaKey || key.altKey) return;
    const option = answers.lettered[key.key];
    if (!option && !(canSayWhy && key.key === 'r')) return;
    key.preventDefault();
    key.stopPropagation();
    if (option) choose(option);
    else if (isArmed) setSayingWhy(true);
  };
  const button = (option: PermissionOption, letter?: string): ReactNode => (
    <button
      key={option.optionId}
      type="button"
      className={classNameOf(option)}
      disabled={!isArmed || (!wasSeen && option.kind.startsWith('allow'))}
      onClick={() => choose(option)}
    >
      {letter !== undefined && <kbd aria-hidden="true">{letter}</kbd>} <VisibleText text={option.name} />
    </button>
  );
  return (
    <div ref={card} className="permission" role="group" aria-label={facts.heading} tabIndex={0} onKeyDown={onKey}>
      <button type="button" className="handle" aria-expanded={!isLow} onClick={() => setLow(!isLow)}>
        {isLow ? 'Show the question' : 'Lower the question'}
      </button>
      <h2>{facts.heading}</h2>
      <div className="facts" tabIndex={0} role="region" aria-label="Details of the question" hidden={isLow}>
        <Suspense fallback={<p className="faint">Loading the details…</p>}>
          <Facts facts={facts} />
          <End onSeen={onSeen} />
        </Suspense>
      </div>
      {!wasSeen && !isLow && <p className="faint">Scroll to the end to allow it.</p>}
      <div className="answers" hidden={isLow}>
        {answers.reject && button(answers.reject, 'n')}
        {answers.once.map((option) => button(option, option === answers.lettered['y'] ? 'y' : undefined))}
      </div>
      {isSayingWhy && answers.reject && (
        <Reason onReject={(reason) => isArmed && answer(answers.reject, reason)} onBack={() => setSayingWhy(false)} />
      )}
      <div className="further-answers" hidden={isLow}>
        {canSayWhy && !isSayingWhy && (
          <button type="button" className="bare" disabled={!isArmed} onClick={() => setSayingWhy(true)}>
            <kbd aria-hidden="true">r</kbd> Reject and say why…
          </button>
        )}
        {answers.more.length > 0 && (
          <details className="more-answers">
            <summary>
              {answers.more.every(({ kind }) => kind === 'allow_always') ? 'Always allow…' : 'More answers…'}
            </summary>
            <div className="answers">{answers.more.map((option) => button(option))}</div>
          </details>
        )}
      </div>
    </div>
  );
}

/** The reason for a rejection, which the agent gives its model. */
function Reason({
  onReject,
  onBack,
}: {
  readonly onReject: (reason: string | undefined) => void;
  readonly onBack: () => void;
}): ReactNode {
  const [text, setText] = useState('');
  const id = useId();
  return (
    <form
      className="reason"
      onSubmit={(form) => {
        form.preventDefault();
        onReject(text.trim() || undefined);
      }}
      onKeyDown={(key) => {
        if (key.key !== 'Escape') return;
        key.stopPropagation();
        onBack();
      }}
    >
      <label htmlFor={id}>Why you reject it, for the agent</label>
      <input id={id} autoFocus dir="auto" value={text} onChange={({ target }) => setText(target.value)} />
      <div className="answers">
        <button type="submit" className="refuse">
          Reject
        </button>
        <button type="button" className="plain-button" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  );
}

function factsOf(request: RequestPermissionRequest): ReturnType<typeof permissionFacts> {
  const { question } = turnwireMeta<'session/request_permission'>(request._meta);
  return question ? permissionFacts(question) : reportedFacts(request);
}

/**
 * The maximum number of single-use approvals with a button next to the rejection. Further ones join the other answers, so that the facts
 * keep their space.
 */
const mostOnce = 2;

/** Groups the answers by position. The two keys mean the same for every question; an answer that lasts longer than once has no key. */
function answersOf(options: readonly PermissionOption[]): {
  readonly once: readonly PermissionOption[];
  readonly reject: PermissionOption | undefined;
  readonly more: readonly PermissionOption[];
  readonly lettered: Readonly<Record<string, PermissionOption | undefined>>;
} {
  const allowOnce = options.filter(({ kind }) => kind === 'allow_once');
  const once = allowOnce.slice(0, mostOnce);
  const reject =
    options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
  const more = options.filter((option) => !once.includes(option) && option !== reject);
  return { once, reject, more, lettered: { y: allowOnce.length === 1 ? once[0] : undefined, n: reject } };
}

function classNameOf({ kind }: PermissionOption): string {
  return kind === 'allow_once' ? 'primary' : kind.startsWith('allow') ? 'plain-button' : 'refuse';
}

function useArmed(): boolean {
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), armingTime);
    return () => clearTimeout(timer);
  }, []);
  return isArmed;
}

/** An answer removes the card and its focus, so the editor receives the focus; on a touch screen, where that opens the keyboard, the transcript. */
function useFocusAfterwards(): RefObject<HTMLDivElement | null> {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = card.current;
    return () => {
      const next = matchMedia('(pointer: coarse)').matches ? '.transcript' : '[aria-label="Prompt"]';
      if (shown?.contains(document.activeElement)) document.querySelector<HTMLElement>(next)?.focus();
    };
  }, []);
  return card;
}

/** The end of the facts. It reports when it is on the screen. */
function End({ onSeen }: { readonly onSeen: () => void }): ReactNode {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
    });
    if (mark.current) observer.observe(mark.current);
    return () => observer.disconnect();
  }, [onSeen]);
  return <div ref={mark} className="facts-end" />;
}
