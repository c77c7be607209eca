import type { ChatSession } from '../sessions/chat-session.ts';

/** Resolves when an agent is no longer being started: it is there, wants a login, or has failed. */
export function whenStarted(conversation: ChatSession): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isStarting(conversation)) return;
      stop();
      resolve();
    };
    const stop = conversation.onChange(look);
    look();
  });
}

export function isStarting({ state: { name } }: ChatSession): boolean {
  return name === 'starting' || name === 'reconnecting';
}
