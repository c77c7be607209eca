export type { ContentOptions } from './content-options.ts';
export { fileContent, type KnownContent, textContent } from './file-content.ts';
export { type Mention, mentions } from './mentions.ts';
export { promptContent, type PromptContentOptions, type PromptDraft } from './prompt-content.ts';
