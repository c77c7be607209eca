import type { Session } from '@turnwire/agent';
import type { ModelChoice } from './model-catalog.ts';

/** What a session has chosen with its options. */
export function modelChoice(session: Pick<Session, 'option'>): ModelChoice {
  const text = (id: string): string | undefined => {
    const value = session.option(id);
    return typeof value === 'string' ? value : undefined;
  };
  return { model: text('model'), thoughtLevel: text('thought_level') };
}
