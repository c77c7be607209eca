import type { Conversation } from './conversation.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { LiveConversation } from './live-conversation.ts';

/**
 * Starts an agent and opens a session with it, or restores a stored one. Returns at once, so that the start can be observed; `opened`
 * resolves when it is done.
 * ```ts
 * await using conversation = openConversation({ start: (signal) => launchAgent('my-agent --acp', { signal }), cwd: process.cwd() });
 * await conversation.opened;
 * await conversation.prompt('search for TODO');
 * ```
 * When the agent dies or ignores a cancel, the state shows it; `restart()`, or the next prompt, restarts it and restores the session. If it
 * cannot be restored, a new one begins behind a boundary in the transcript, never silently.
 */
export function openConversation(options: ConversationOptions): Conversation {
  return new LiveConversation(options);
}
