import type { LanguageModelV3Message } from '@ai-sdk/provider';
import type { Workspace } from './workspace/workspace.ts';

/** What the agent keeps of one session. */
export interface SessionMemory {
  readonly workspace: Workspace;
  /** Everything said and done so far, as models take it. Each prompt and each step adds to it. */
  readonly conversation: LanguageModelV3Message[];
}
