import { createRoot } from 'react-dom/client';
import './styles.css';
import './review/review.css';
import { App, Failed } from './app.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { keepDialogsInHistory } from './state/dialog-history.ts';
import { worker } from './state/notices.ts';
import { PageStore } from './state/page-store.ts';

const root = document.querySelector('#page');
const page = new PageStore();
// Without this, a file dropped outside the editor would replace the page.
for (const event of ['dragover', 'drop']) addEventListener(event, (dragged) => dragged.preventDefault());
keepDialogsInHistory();
if (root)
  createRoot(root).render(
    <ErrorBoundary
      instead={(error, retry) => (
        <Failed title="The page has failed" message={String(error)} onRetry={() => (page.leave(), retry())} />
      )}
    >
      <App page={page} />
    </ErrorBoundary>,
  );
void page.start();
// The page also works without the worker, such as with a certificate that the browser does not trust.
worker()?.catch(() => undefined);
