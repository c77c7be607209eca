export type { Conversation, ConversationState, QueuedPrompt } from './conversation.ts';
export type { ConversationOptions, ConversationPermissions } from './conversation-options.ts';
export type { ReconnectOptions } from './reconnecting.ts';
export { openConversation } from './open-conversation.ts';
export { sessionPages } from '../agent/session-list.ts';
export { forksOf, type KnownForkSettings, type WantedFork } from './forks.ts';
export { canSteer, steer, type SteeringPrompt } from './steer.ts';
