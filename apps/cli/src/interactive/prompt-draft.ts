import type { Agent } from '@turnwire/client';
import { promptContent } from '@turnwire/client/content';
import type { ContentBlock } from '@turnwire/protocol';
import type { Attachment } from './attachments.ts';

/** What somebody wants to send. */
export interface PromptDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly cwd: string;
  /** Absent while the agent is not there: files are only named then. */
  readonly agent: Agent | undefined;
}

/** The blocks of a prompt, and what the user should know about them. */
export interface ComposedPrompt {
  readonly content: readonly ContentBlock[];
  readonly remark: string | undefined;
}

/** The text with the images and the files it names. What the agent does not take goes as a link, and that is said. */
export async function composePrompt({ text, attachments, cwd, agent }: PromptDraft): Promise<ComposedPrompt> {
  const paths = attachments.map(({ path }) => path);
  const known = agent?.capabilities.promptCapabilities;
  const content = await promptContent({ text, attachments: paths }, known, { cwd });
  const isRefused = attachments.length > 0 && !known?.image;
  return { content, remark: isRefused ? 'the agent takes no images: it gets links to them' : undefined };
}
