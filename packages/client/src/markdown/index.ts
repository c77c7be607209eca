/**
 * Markdown of agents as tokens, for whoever draws it: a terminal, a page, a document. Any text comes to an end, however deep its marks are nested.
 * @module
 */
export { withCharacters } from './character-references.ts';
export { markdownTokens } from './markdown-tokens.ts';
export type { Token, Tokens } from 'marked';
