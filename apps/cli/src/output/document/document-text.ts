import { markdownDocument, type SessionDocument } from '@turnwire/client/view';
import { htmlDocument } from './html-document.ts';

/** The format of a document. `json`: the transcript entries of the client library. */
type DocumentFormat = 'md' | 'html' | 'json';

/**
 * A session as a document, without control sequences of agents. HTML is one page without scripts, and escapes all text of agents and
 * users.
 */
export function documentText(document: SessionDocument, format: DocumentFormat): string {
  if (format === 'md') return markdownDocument(document);
  if (format === 'html') return htmlDocument(document);
  const { title, facts, view } = document;
  return `${JSON.stringify({ title, ...facts, entries: [...view.entries] }, undefined, 2)}\n`;
}
