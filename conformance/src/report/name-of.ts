import type { Judgement } from '../verdict/verdict.ts';

/** The name and version a subject reports; else its command. Text of the peer. */
export function nameOf({ introduction, subject }: Pick<Judgement, 'introduction' | 'subject'>): string {
  if (introduction === undefined) return subject;
  return [introduction.name, introduction.version].filter((part) => part !== undefined).join(' ');
}
