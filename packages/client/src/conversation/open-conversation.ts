import type { Conversation } from './conversation.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { LiveConversation } from './live-conversation.ts';

/**
 * Starts an agent and opens a session with it, or brings a stored one back. Returns at once, so that the start can be watched;
 * `opened` says when it is done.
 * ```ts
 * await using conversation = openConversation({ start: (signal) => launchAgent('my-agent --acp', { signal }), cwd: process.cwd() });
 * await conversation.opened;
 * await conversation.prompt('search for TODO');
 * ```
 * When the agent dies or does not honour a cancel, the state says so; `restart()`, or the next prompt, starts it again and brings
 * the session back. Where it cannot be brought back a new one begins behind a boundary in the transcript, never silently.
 */
export function openConversation(options: ConversationOptions): Conversation {
  return new LiveConversation(options);
}
