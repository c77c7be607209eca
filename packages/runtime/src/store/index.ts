export {
  checkEvents,
  checkLimit,
  elsewhere,
  fenced,
  gapAfter,
  idTaken,
  isCursor,
  type ListPlace,
  type LogExtent,
  nextPage,
  notFound,
  notInLog,
  pageCharacters,
  placeAfter,
  start,
} from './log-rules.ts';
export { type FoundSession, FoundSessions, mostMatches, mostScanned, type TextQuery } from '../texts/found-sessions.ts';
export type { Passage } from '../texts/passage.ts';
export { indexedWords, queryWords, tenantWord } from '../texts/words.ts';
export { type CurrencySum, usageRows } from '../usage/usage-sums.ts';
export { usageColumns, usageValues } from '../usage/usage-columns.ts';
