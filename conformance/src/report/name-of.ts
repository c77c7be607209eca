import type { Judgement } from '../verdict/judgement.ts';

/** The name a subject gives itself, with its version; else its command. Text of the peer. */
export function nameOf({ introduction, subject }: Pick<Judgement, 'introduction' | 'subject'>): string {
  if (introduction === undefined) return subject;
  return [introduction.name, introduction.version].filter((part) => part !== undefined).join(' ');
}
