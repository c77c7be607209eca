import type { GatewayConversation } from '../gateway/gateway-conversation.ts';

/** Resolves when an agent is no longer being started: it is there, wants a login, or has failed. */
export function whenStarted(conversation: GatewayConversation): Promise<void> {
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

export function isStarting({ state: { name } }: GatewayConversation): boolean {
  return name === 'starting' || name === 'reconnecting';
}
