/**
 * Markdown of agents as tokens, for whoever draws it: a terminal, a page, a document. Any text comes to an end, in a time that grows with its length.
 * @module
 */
export { withCharacters } from './character-references.ts';
export { markdownTokens } from './markdown-tokens.ts';
export type { Token, Tokens } from 'marked';
