import type { Agent } from '@turnwire/client';
import { promptContent } from '@turnwire/client/node';
import type { ContentBlock } from '@turnwire/protocol';
import type { Draft } from './commands/prompt-source.ts';

/** The draft as content blocks the agent accepts. Rejects with TurnwireError `invalid-input` for a file that cannot be attached. */
export async function contentOf(
  { text, attachments, hasMentions, piped }: Draft,
  agent: Agent | undefined,
  place: { readonly cwd: string; readonly additionalDirectories?: readonly string[] | undefined },
): Promise<ContentBlock[]> {
  const content = await promptContent({ text, attachments }, agent?.capabilities.promptCapabilities, {
    ...place,
    mentions: hasMentions,
  });
  return piped === undefined ? content : [...content, { type: 'text', text: piped }];
}
