export type { Conversation, ConversationState, QueuedPrompt } from './conversation.ts';
export type { ConversationOptions } from './live-conversation.ts';
export { openConversation } from './open-conversation.ts';
