import type { ToolReport } from '@turnwire/agent';
import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider';
import { objectionBefore, reportsAfter } from '../hooks/run-hooks.ts';
import { admit } from '../permission/admit.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { PreparedCall, Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import { shownText } from '../tools/shown-content.ts';
import { failureMessage, ToolError, ToolInputError } from '../tool-error.ts';
import type { ModelToolCall } from './model-answer.ts';
import { parseInput } from './parse-input.ts';

/** The result of a tool call. */
export interface ToolOutcome {
  /** For the model. */
  readonly output: LanguageModelV3ToolResultOutput;
  /** Ends the turn: the user wants that, or only their next prompt can answer the question. */
  readonly ends?: 'cancelled' | 'end_turn';
  /** It was not a valid call: an unknown name, or input that does not fit. */
  readonly isMalformed?: boolean;
}

/** The available tools, by name. */
export type Tools = ReadonlyMap<string, Tool>;

/**
 * Runs one tool call and reports on it: prepares it, checks the permission, runs it.
 * Never throws: an error is the call's outcome.
 */
export async function runToolCall(turn: CoderTurn, tools: Tools, call: ModelToolCall): Promise<ToolOutcome> {
  try {
    const { tool, prepared } = await prepare(turn, tools, call);
    const { title, locations, preview } = prepared;
    await call.report.progress({ title, ...(locations && { locations }), ...(preview && { content: preview }) });
    if (turn.signal.aborted) return await dismiss(call);
    const objection = await objectionBefore(turn, { tool, facts: prepared.facts });
    if (objection !== undefined) return await refuse(call, objection);
    const admission = await admit(turn, { tool, prepared, report: call.report });
    if (admission.outcome === 'allowed') return await run(turn, call, { tool, prepared });
    return admission.outcome === 'refused' ? await refuse(call, admission.reason) : await dismiss(call);
  } catch (error) {
    return turn.signal.aborted ? dismiss(call) : fail(call, error);
  }
}

/** Fails a call without running it. */
export async function skipToolCall({ report }: Pick<ModelToolCall, 'report'>, reason: string): Promise<ToolOutcome> {
  await report.fail(reason);
  return { output: { type: 'error-text', value: reason } };
}

async function prepare(
  turn: CoderTurn,
  tools: Tools,
  { toolName, json }: ModelToolCall,
): Promise<{ readonly tool: Tool; readonly prepared: PreparedCall }> {
  const tool = tools.get(toolName);
  if (tool === undefined)
    throw new ToolInputError(
      `There is no tool ${JSON.stringify(toolName)}. There are: ${[...tools.keys()].join(', ')}.`,
    );
  const context: ToolContext = { ...turn.session.memory, turn, signal: turn.signal };
  return { tool, prepared: await tool.prepare(readInput(json), context) };
}

async function run(
  turn: CoderTurn,
  { report }: ModelToolCall,
  { tool, prepared }: { readonly tool: Tool; readonly prepared: PreparedCall },
): Promise<ToolOutcome> {
  await report.start();
  if (tool.effect === 'changes') await turn.session.memory.turnFiles.record();
  let result = await prepared.run(report);
  const reports = await reportsAfter(turn, { tool, facts: prepared.facts });
  if (reports.length > 0) result = withReports(result, reports, report);
  const { text, content, rawOutput, endTurn } = result;
  await report.complete(content?.length === 0 ? undefined : (content ?? text), rawOutput);
  return { output: resultOutput(result), ...(endTurn && { ends: 'end_turn' }) };
}

/** Appends the reports of the user's hooks to the result, for the model and for the user. */
function withReports(result: ToolResult, reports: readonly string[], { state }: ToolReport): ToolResult {
  const { text, content } = result;
  const shown = content === undefined ? [shownText(text)] : content.length === 0 ? (state.content ?? []) : content;
  return { ...result, text: [text, ...reports].join('\n'), content: [...shown, ...reports.map(shownText)] };
}

async function fail({ report }: ModelToolCall, error: unknown): Promise<ToolOutcome> {
  const message = failureMessage(error);
  const { content = message, rawOutput } = error instanceof ToolError ? error : {};
  await report.fail(content, rawOutput);
  return {
    output: { type: 'error-text', value: message },
    ...(error instanceof ToolInputError && { isMalformed: true }),
  };
}

async function refuse({ report }: ModelToolCall, reason: string): Promise<ToolOutcome> {
  await report.fail(reason);
  return { output: { type: 'execution-denied', reason } };
}

async function dismiss({ report }: ModelToolCall): Promise<ToolOutcome> {
  const { status, content = [] } = report.state;
  if (status === 'pending')
    return { ...(await skipToolCall({ report }, 'Cancelled; nothing was changed.')), ends: 'cancelled' };
  const reason = 'Cancelled while it ran.';
  await report.fail([...content, shownText(reason)]);
  const shown = content.flatMap((each) =>
    each.type === 'content' && each.content.type === 'text' ? [each.content.text] : [],
  );
  return { output: { type: 'error-text', value: [reason, ...shown].join('\n') }, ends: 'cancelled' };
}

function readInput(json: string): unknown {
  try {
    return parseInput(json);
  } catch (error) {
    throw new ToolInputError(`The input is not valid JSON: ${failureMessage(error)}. Call the tool again.`);
  }
}

/** A tool's result, as models accept it. */
function resultOutput({ text, images = [] }: ToolResult): LanguageModelV3ToolResultOutput {
  if (images.length === 0) return { type: 'text', value: text };
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      ...images.map(({ data, mimeType }) => ({ type: 'image-data' as const, data, mediaType: mimeType })),
    ],
  };
}
