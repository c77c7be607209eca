import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentwire/protocol';
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { PlanStep } from '@agentwire/agent';
import { z } from 'zod';
import type { Workspace } from '../workspace/workspace.ts';
import { ToolError } from './tool-error.ts';

/** What a tool may use while it prepares and runs one call. */
export interface ToolContext {
  readonly workspace: Workspace;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Shows the plan to the person. */
  readonly showPlan: (steps: readonly PlanStep[]) => Promise<void>;
}

/** What a finished call gives: text for the model, and what the person sees if that is something else. */
export interface ToolResult {
  readonly text: string;
  /** Shown in place of the text. An empty list keeps what the call showed before it ran. */
  readonly content?: readonly ToolCallContent[];
  readonly rawOutput?: unknown;
}

/** Shows the state of a running call: replaces what it showed before. */
export type ShowProgress = (content: readonly ToolCallContent[]) => Promise<void>;

/** A call that is known to be possible, worked out but not done: what a person is asked to allow. */
export interface PreparedCall {
  readonly title: string;
  readonly locations?: readonly ToolCallLocation[];
  /** What the call is about to do, such as the diff of an edit. */
  readonly preview?: readonly ToolCallContent[];
  /** Does it. */
  readonly run: (show: ShowProgress) => Promise<ToolResult>;
}

/** One thing the model can do. */
export interface Tool {
  /** The name the model calls it by. */
  readonly name: string;
  readonly kind: ToolKind;
  /** For the model. */
  readonly description: string;
  readonly inputSchema: LanguageModelV3FunctionTool['inputSchema'];
  /** Changes nothing: needs no permission, and may run beside others of the kind. */
  readonly readOnly: boolean;
  /** Checks the input and works out what the call would do, changing nothing. Throws ToolError when it cannot be done. */
  readonly prepare: (input: unknown, context: ToolContext) => Promise<PreparedCall>;
}

/** A tool as it is written: its input is checked against the schema before `prepare` sees it. */
export interface ToolSpecification<Input> extends Omit<Tool, 'inputSchema' | 'prepare'> {
  readonly input: z.ZodType<Input>;
  readonly prepare: (input: Input, context: ToolContext) => Promise<PreparedCall>;
}

/** Makes a tool of its specification. */
export function defineTool<Input>({ input, prepare, ...rest }: ToolSpecification<Input>): Tool {
  return {
    ...rest,
    inputSchema: z.toJSONSchema(input, { target: 'draft-7', io: 'input' }) as Tool['inputSchema'],
    prepare: async (raw, context) => {
      const checked = input.safeParse(raw);
      if (!checked.success)
        throw new ToolError(`The input of ${rest.name} is wrong:\n${z.prettifyError(checked.error)}`);
      return prepare(checked.data, context);
    },
  };
}
