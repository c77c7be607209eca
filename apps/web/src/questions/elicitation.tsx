import { urlConsent } from '@turnwire/client/elicitation';
import type { OpenQuestion } from '@turnwire/client/gateway';
import { lazy, type ReactNode, Suspense } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';
import { ElicitationAnswers } from './elicitation-answers.tsx';

type Props = { readonly question: OpenQuestion & { readonly type: 'elicitation' } };

const Form = lazy(() => import('./elicitation-form.tsx').then(({ ElicitationForm }) => ({ default: ElicitationForm })));

/** A question of the agent other than a permission request: a form, or a page to visit. */
export function Elicitation({ question }: Props): ReactNode {
  const { request } = question;
  return (
    <div className="elicitation" tabIndex={-1}>
      <h2>
        <VisibleText text={request.message} isProse />
      </h2>
      <Suspense fallback={<p className="faint">Loading the form…</p>}>
        {request.mode === 'url' ? <PageConsent question={question} /> : <Form question={question} />}
      </Suspense>
    </div>
  );
}

/** Asks for consent to open a page. Nothing of it is fetched before the user agrees. */
function PageConsent({ question }: Props): ReactNode {
  const { request, answer } = question;
  const { url, host, mayOpen, warnings } = urlConsent('url' in request ? String(request.url) : '');
  const open = (): void => {
    globalThis.open(url, '_blank', 'noopener,noreferrer');
    answer({ action: 'accept' });
  };
  return (
    <div className="facts">
      <p>
        The agent wants to open a page{host !== '' && ' of '}
        <strong>{host}</strong>:
      </p>
      <pre className="command-line">
        <VisibleText text={url} />
      </pre>
      {warnings.map((warning) => (
        <p key={warning} className="caution">
          {warning}
        </p>
      ))}
      <ElicitationAnswers question={question}>
        {mayOpen && (
          <button type="button" className="primary" onClick={open}>
            Open it
          </button>
        )}
      </ElicitationAnswers>
    </div>
  );
}
