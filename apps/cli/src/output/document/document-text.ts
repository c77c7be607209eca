import { markdownDocument, type SessionDocument } from '@turnwire/client/view';
import { htmlDocument } from './html-document.ts';

/** The format of a document. `json`: the entries of the transcript, as the client library describes them. */
type DocumentFormat = 'md' | 'html' | 'json';

/**
 * A session as a document. Control sequences of agents are left out. HTML is one page without scripts, and nothing that an agent or a user
 * wrote is markup in it.
 */
export function documentText(document: SessionDocument, format: DocumentFormat): string {
  if (format === 'md') return markdownDocument(document);
  if (format === 'html') return htmlDocument(document);
  const { title, facts, view } = document;
  return `${JSON.stringify({ title, ...facts, entries: [...view.entries] }, undefined, 2)}\n`;
}
