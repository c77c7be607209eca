import type { Agent } from '@turnwire/client';
import { promptContent } from '@turnwire/client/node';
import type { ContentBlock } from '@turnwire/protocol';
import { warn } from '../failure.ts';

/** A prompt, before it is known which content the agent accepts. */
export interface Draft {
  readonly text: string;
  /** The absolute paths of attached files. */
  readonly attachments: readonly string[];
  /** Whether `@path` in the text stands for a file: in typed text it does, in text from a file or stdin it does not. */
  readonly hasMentions: boolean;
  /** Text from stdin in addition to the typed text. `@path` in it never stands for a file. */
  readonly piped?: string;
}

/** The draft as content blocks the agent accepts. Rejects with TurnwireError `invalid-input` for a file that cannot be attached. */
export async function contentOf(
  { text, attachments, hasMentions, piped }: Draft,
  agent: Pick<Agent, 'capabilities'> | undefined,
  folders: { readonly cwd: string; readonly additionalDirectories?: readonly string[] | undefined },
): Promise<ContentBlock[]> {
  const content = await promptContent({ text, attachments }, agent?.capabilities.promptCapabilities, {
    ...folders,
    mentions: hasMentions,
    onUnknown: (path) => warn(noSuchFile(path)),
  });
  return piped === undefined ? content : [...content, { type: 'text', text: piped }];
}

/** The warning about a mention that looks like a file. */
export function noSuchFile(path: string): string {
  return `@${path} is sent as text: there is no such file in the folder`;
}
