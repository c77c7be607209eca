export type { Conversation, ConversationState, QueuedPrompt } from './conversation.ts';
export type { ConversationOptions, ConversationPermissions } from './conversation-options.ts';
export { openConversation } from './open-conversation.ts';
