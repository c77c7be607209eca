import type { Agent } from '@turnwire/client';
import { promptContent } from '@turnwire/client/node';
import type { ContentBlock } from '@turnwire/protocol';
import { warn } from '../failure.ts';

/** A prompt, before it is known which content the agent accepts. */
export interface Draft {
  readonly text: string;
  /** Absolute paths of files to send along. */
  readonly attachments: readonly string[];
  /** Whether `@path` in the text stands for a file: yes in typed text; not in text from a file or stdin. */
  readonly hasMentions: boolean;
  /** Text from stdin beside the typed text. No `@path` in it stands for a file. */
  readonly piped?: string;
}

/** The draft as content blocks the agent accepts. Rejects with TurnwireError `invalid-input` for a file that cannot be attached. */
export async function contentOf(
  { text, attachments, hasMentions, piped }: Draft,
  agent: Pick<Agent, 'capabilities'> | undefined,
  place: { readonly cwd: string; readonly additionalDirectories?: readonly string[] | undefined },
): Promise<ContentBlock[]> {
  const content = await promptContent({ text, attachments }, agent?.capabilities.promptCapabilities, {
    ...place,
    mentions: hasMentions,
    onUnknown: (path) => warn(noSuchFile(path)),
  });
  return piped === undefined ? content : [...content, { type: 'text', text: piped }];
}

/** The warning about a mention that looks like a file. */
export function noSuchFile(path: string): string {
  return `@${path} is sent as text: there is no such file in the folder`;
}
