import type { Agent } from '@turnwire/client';
import { promptContent } from '@turnwire/client/node';
import type { ContentBlock } from '@turnwire/protocol';
import type { Draft } from './commands/prompt-source.ts';

/** The draft as content blocks the agent accepts. Rejects with TurnwireError `invalid-input` for a file that cannot be attached. */
export function contentOf(
  { text, attachments, hasMentions }: Draft,
  agent: Agent | undefined,
  place: { readonly cwd: string; readonly additionalDirectories?: readonly string[] | undefined },
): Promise<ContentBlock[]> {
  return promptContent({ text, attachments }, agent?.capabilities.promptCapabilities, {
    ...place,
    mentions: hasMentions,
  });
}
