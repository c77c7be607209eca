import type { ChatSession } from '../sessions/chat-session.ts';

/** Resolves when an agent has left the state `starting`: it is ready, requires a login, or has failed. */
export function whenStarted(conversation: ChatSession): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (isStarting(conversation)) return;
      stop();
      resolve();
    };
    const stop = conversation.onChange(check);
    check();
  });
}

export function isStarting({ state: { name } }: ChatSession): boolean {
  return name === 'starting' || name === 'reconnecting';
}
