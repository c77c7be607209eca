/**
 * Agents' Markdown as tokens, for terminals, pages and documents. Parsing any text takes bounded time, however deeply its marks are nested.
 * @module
 */
export { withCharacters } from './character-references.ts';
export { markdownTokens } from './markdown-tokens.ts';
export type { Token, Tokens } from 'marked';
