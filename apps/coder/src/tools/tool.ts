import type { ToolCallContent, ToolCallLocation, ToolKind } from '@turnwire/protocol';
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { ToolReport, Turn } from '@turnwire/agent';
import { z } from 'zod';
import type { Settings } from '../config/settings.ts';
import type { BackgroundCommands } from '../process/background-commands.ts';
import type { CommandSettings } from '../process/command-environment.ts';
import type { TurnFiles } from '../undo/turn-files.ts';
import type { Admission } from './admission.ts';
import type { SessionFiles } from '../workspace/session-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ToolInputError } from '../tool-error.ts';
import { withKnownNames } from './known-names.ts';
import { schemaForModel } from './schema-for-model.ts';

/** Decides whether another action may read a file. */
interface ReadingRules {
  /**
   * Why a file may not be read without asking the user; undefined if the rules allow it. Applies to every access to a file's content or
   * name outside of its own tool call, such as a search.
   * @param path absolute
   * @param by the kind of access: a rule may apply to searches only. Default `read`
   */
  forbidsReading(path: string, by?: 'read' | 'search'): string | undefined;
}

/** The context in which a tool prepares and runs one call. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly files: SessionFiles;
  readonly turnFiles: TurnFiles;
  readonly background: BackgroundCommands;
  readonly permissions: ReadingRules;
  /** The user's settings for tools. By default private addresses need permission, and commands inherit no keys. */
  readonly settings?: (Partial<Pick<Settings, 'fetch'>> & CommandSettings) | undefined;
  /** The turn of the call: its client, its questions, its plan, its commands. */
  readonly turn: Turn;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
}

/** The result of a call: text for the model, and different content for the user if needed. */
export interface ToolResult {
  readonly text: string;
  /** Images for the model besides the text. The user sees only `content`. */
  readonly images?: readonly {
    /** Such as `image/png`. */
    readonly mimeType: string;
    /** Base64. */
    readonly data: string;
  }[];
  /** Shown instead of the text. An empty list keeps the content from before the call ran. */
  readonly content?: readonly ToolCallContent[];
  readonly rawOutput?: unknown;
  /** Ends the turn with this call: the user was asked a question that only their next prompt can answer. */
  readonly endTurn?: true;
}

/** The facts of a call, for permission rules. An absent field is not touched. */
export interface CallFacts {
  /** Absolute paths, links resolved. */
  readonly paths?: readonly string[] | undefined;
  /** A command line, and the absolute folder it runs in. */
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  /** Command lines in the input of a tool that is not a shell. */
  readonly namedCommands?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

/** A call that was checked and prepared but not run: the user is asked to allow it. */
export interface PreparedCall {
  readonly title: string;
  readonly locations?: readonly ToolCallLocation[];
  /** The intended effect, such as the diff of an edit. */
  readonly preview?: readonly ToolCallContent[];
  /** The facts that rules are matched against. */
  readonly facts: CallFacts;
  /** The tool's own permission question, instead of the usual one. Rules can then only deny, and no mode answers it. */
  readonly ask?: (report: ToolReport) => Promise<Admission>;
  /** Runs the call. Its report is running already and is completed by the caller; the tool may show progress in it. */
  readonly run: (report: ToolReport) => Promise<ToolResult>;
}

/**
 * The effect of a tool, which decides whether it needs permission and in which modes it may run.
 *
 * - `looks`: reads in the workspace. Only a rule can forbid it. Such calls may run in parallel.
 * - `reaches`: reads outside the workspace. Needs permission.
 * - `changes`: changes files, runs commands, or has unknown effects. Needs permission, and not every mode allows it.
 * - `talks`: only communicates with the user. Needs no permission.
 */
export type ToolEffect = 'looks' | 'reaches' | 'changes' | 'talks';

/** A tool that the model can call. */
export interface Tool {
  /** Its name for the model. */
  readonly name: string;
  readonly kind: ToolKind;
  /** Its description for the model. */
  readonly description: string;
  readonly inputSchema: LanguageModelV3FunctionTool['inputSchema'];
  readonly effect: ToolEffect;
  /** The effect of a call has its own kind of update, so the call itself is shown only if it fails. */
  readonly hasOwnUpdate?: true;
  /** Checks the input and prepares the call, changing nothing. Throws ToolError if it cannot be done. */
  readonly prepare: (input: unknown, context: ToolContext) => Promise<PreparedCall>;
}

/** The specification of a tool: its input is checked against the schema before `prepare`. */
export interface ToolSpecification<Input> extends Omit<Tool, 'inputSchema' | 'prepare'> {
  /** The schema of its input. It is built when the tool is called or offered to a model: many turns need few tools, or none. */
  readonly input: () => z.ZodType<Input>;
  readonly prepare: (input: Input, context: ToolContext) => Promise<PreparedCall>;
}

/** Creates a tool from its specification. */
export function defineTool<Input>({ input, prepare, ...rest }: ToolSpecification<Input>): Tool {
  let made: z.ZodType<Input> | undefined;
  let described: Tool['inputSchema'] | undefined;
  const schema = (): z.ZodType<Input> => (made ??= input());
  const tool: Tool = {
    ...rest,
    get inputSchema() {
      return (described ??= schemaForModel(z.toJSONSchema(schema(), { target: 'draft-7', io: 'input' })));
    },
    prepare: async (raw, context) => {
      const parsed = schema().safeParse(raw);
      const checked = parsed.success ? parsed : schema().safeParse(withKnownNames(raw, tool.inputSchema));
      if (checked.success) return prepare(checked.data, context);
      throw new ToolInputError(
        `The input of ${rest.name} is invalid:\n${z.prettifyError(parsed.error ?? checked.error)}`,
      );
    },
  };
  return tool;
}
