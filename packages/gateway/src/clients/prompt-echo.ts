import type { SessionEvent } from '@turnwire/client/gateway';
import type { ContentBlock } from '@turnwire/protocol';

/** Whether an agent repeats the last prompt, which clients have already. Agents of version 2 repeat all of them. */
export function isPromptEcho(
  prompt: readonly ContentBlock[],
  { update, said, isReplay }: SessionEvent & { readonly type: 'update' },
): boolean {
  // The first part of an echo in chunks.
  if (said?.sessionUpdate === 'user_message' && !isReplay && !said.content?.length) return true;
  if (update.sessionUpdate !== 'user_message_chunk' || isReplay) return false;
  const { content } = update;
  return prompt.some((block) =>
    block.type === 'text' && content.type === 'text'
      ? block.text.includes(content.text.trim())
      : block.type === content.type,
  );
}
