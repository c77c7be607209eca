import type { Judgement } from '../verdict/verdict.ts';

/** The name and version that a subject reports, or else its command. Text of the peer. */
export function nameOf({ introduction, subject }: Pick<Judgement, 'introduction' | 'subject'>): string {
  if (introduction === undefined) return subject;
  return [introduction.name, introduction.version].filter((part) => part !== undefined).join(' ');
}
