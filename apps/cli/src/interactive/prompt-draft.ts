import { promptContent } from '@turnwire/client/node';
import type { AgentCapabilities, ContentBlock } from '@turnwire/protocol';
import { noSuchFile } from '../driving/prompt-content.ts';
import type { Attachments } from './attachments.ts';

/** A prompt before it is sent. */
export interface PromptDraft {
  readonly text: string;
  readonly attachments: ReturnType<Attachments['take']>;
  readonly cwd: string;
  /** Absent while the agent is not ready: files are then only named. */
  readonly agent: { readonly capabilities: AgentCapabilities } | undefined;
}

/** The blocks of a prompt, with a message for the user. */
export interface ComposedPrompt {
  readonly content: readonly ContentBlock[];
  readonly remark: string | undefined;
}

/** The text with its images and the files it names. Content the agent does not accept becomes a link, with a message. */
export async function composePrompt({ text, attachments, cwd, agent }: PromptDraft): Promise<ComposedPrompt> {
  const { images, texts } = attachments;
  const paths = images.map(({ path }) => path);
  const known = agent?.capabilities.promptCapabilities;
  const remarks: string[] = [];
  const onUnknown = (path: string): unknown => remarks.push(noSuchFile(path));
  const prompt = await promptContent({ text, attachments: paths }, known, { cwd, onUnknown });
  // Behind the prompt: a command of the agent must be the first text.
  const content = [...prompt, ...texts.map((each) => ({ type: 'text', text: each.text }) as const)];
  if (images.length > 0 && !known?.image) remarks.push('the agent does not accept images: it gets links to them');
  return { content, remark: remarks.length === 0 ? undefined : remarks.join('; ') };
}
