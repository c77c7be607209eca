export type { Conversation, ConversationState, QueuedPrompt } from './conversation.ts';
