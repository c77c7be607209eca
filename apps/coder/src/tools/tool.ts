import type { ToolCallContent, ToolCallLocation, ToolKind } from '@turnwire/protocol';
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { ToolReport, Turn } from '@turnwire/agent';
import { z } from 'zod';
import type { Settings } from '../config/settings.ts';
import type { BackgroundCommands } from '../process/background-commands.ts';
import type { CommandSettings } from '../process/command-environment.ts';
import type { Checkpoints } from '../undo/checkpoints.ts';
import type { Admission } from '../permission/admission.ts';
import type { SessionFiles } from '../workspace/session-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ToolInputError } from './tool-error.ts';

/** Files that may not be read as a part of something else. */
interface ReadingRules {
  /**
   * Why a file may not be read without asking the user; undefined: it may, as far as rules go. For every way to a file's content
   * or name that is no call of its own: what a search finds, say.
   * @param path absolute
   * @param by what looks into it: rules can be about searching alone. Default `read`
   */
  forbidsReading(path: string, by?: 'read' | 'search'): string | undefined;
}

/** What a tool may use while it prepares and runs one call. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly files: SessionFiles;
  readonly checkpoints: Checkpoints;
  readonly background: BackgroundCommands;
  readonly permissions: ReadingRules;
  /** What the user set about tools. What is absent is not allowed: private addresses are asked about, commands get no keys. */
  readonly settings?: (Partial<Pick<Settings, 'fetch'>> & CommandSettings) | undefined;
  /** The turn the call is part of: its client, its questions, its plan, its commands. */
  readonly turn: Turn;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
}

/** A picture for the model. */
interface ToolImage {
  /** `image/png`, say. */
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** What a finished call gives: text for the model, and what the user sees if that is something else. */
export interface ToolResult {
  readonly text: string;
  /** What the model gets to see beside the text. The user sees only what is in `content`. */
  readonly images?: readonly ToolImage[];
  /** Shown in place of the text. An empty list keeps what the call showed before it ran. */
  readonly content?: readonly ToolCallContent[];
  readonly rawOutput?: unknown;
  /** The turn ends with this call: the user was asked something that only their next prompt can answer. */
  readonly endTurn?: true;
}

/** What a call would touch, as facts to judge it by. What is absent is not touched. */
export interface CallFacts {
  /** Absolute paths, links resolved. */
  readonly paths?: readonly string[] | undefined;
  /** A command line, and the absolute folder it runs in. */
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  /** Command lines in the input of a tool that is no shell. */
  readonly namedCommands?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

/** A call that is known to be possible, worked out but not done: what a user is asked to allow. */
export interface PreparedCall {
  readonly title: string;
  readonly locations?: readonly ToolCallLocation[];
  /** What the call is about to do, such as the diff of an edit. */
  readonly preview?: readonly ToolCallContent[];
  /** What rules are matched against. */
  readonly facts: CallFacts;
  /** A question of the tool's own, asked in place of the usual one. Rules can only deny then, and no mode answers it. */
  readonly ask?: (report: ToolReport) => Promise<Admission>;
  /** Does it. The report is running already and is completed by whoever called; progress may be shown in it. */
  readonly run: (report: ToolReport) => Promise<ToolResult>;
}

/**
 * What a tool does to the world, which decides who is asked and in which modes it may run.
 *
 * - `looks`: reads in the workspace. Only a rule can forbid it. May run beside others of the kind.
 * - `reaches`: reads elsewhere. Needs permission.
 * - `changes`: needs permission, and a mode that allows changes.
 * - `talks`: to the user alone. Needs nothing.
 */
export type ToolEffect = 'looks' | 'reaches' | 'changes' | 'talks';

/** One thing the model can do. */
export interface Tool {
  /** The name the model calls it by. */
  readonly name: string;
  readonly kind: ToolKind;
  /** For the model. */
  readonly description: string;
  readonly inputSchema: LanguageModelV3FunctionTool['inputSchema'];
  readonly effect: ToolEffect;
  /** What a call does is shown by an update of its own kind, so the call itself is shown only if it fails. */
  readonly hasOwnUpdate?: true;
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
        throw new ToolInputError(`The input of ${rest.name} is wrong:\n${z.prettifyError(checked.error)}`);
      return prepare(checked.data, context);
    },
  };
}
