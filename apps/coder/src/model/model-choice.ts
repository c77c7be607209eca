import type { Session } from '@turnwire/agent';
import type { ModelChoice } from './model-catalog.ts';

/** The choices in a session's options. */
export function modelChoice(session: Pick<Session, 'option'>): ModelChoice {
  const text = (id: string): string | undefined => {
    const value = session.option(id);
    return typeof value === 'string' ? value : undefined;
  };
  return { model: text('model'), thoughtLevel: text('thought_level') };
}
