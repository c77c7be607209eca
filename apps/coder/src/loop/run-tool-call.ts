import type { ToolAnnouncement, ToolReport, Turn } from '@agentwire/agent';
import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider';
import type { PreparedCall, Tool, ToolContext } from '../tools/tool.ts';
import { failureMessage, ToolError } from '../tools/tool-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ModelToolCall } from './model-answer.ts';

/** What a tool call came to. */
export interface ToolOutcome {
  /** For the model. */
  readonly output: LanguageModelV3ToolResultOutput;
  /** The person wants the turn to end. */
  readonly dismissed?: boolean;
}

/** A call and what it needs. */
export interface PendingCall {
  readonly call: ModelToolCall;
  /** Undefined when there is no tool of that name. */
  readonly tool: Tool | undefined;
  readonly workspace: Workspace;
}

/**
 * Runs one tool call and reports on it: works out what it would do, asks the person unless it only looks, does it.
 * Never throws: what goes wrong is the call's outcome.
 */
export async function runToolCall(turn: Turn, { call, tool, workspace }: PendingCall): Promise<ToolOutcome> {
  const context: ToolContext = { workspace, signal: turn.signal, showPlan: (steps) => turn.plan(steps) };
  const announcement: ToolAnnouncement = {
    title: call.toolName,
    name: call.toolName,
    kind: tool?.kind ?? 'other',
    ...rawInputOf(call),
  };
  let prepared: PreparedCall;
  try {
    prepared = await prepare(call, tool, context);
  } catch (error) {
    return fail(turn.tool(announcement), turn, error);
  }
  const { title, locations, preview } = prepared;
  const report = turn.tool({
    ...announcement,
    title,
    ...(locations && { locations }),
    ...(preview && { content: preview }),
  });
  if (tool?.readOnly) return run(turn, report, prepared);
  const { outcome } = await turn.askPermission(report);
  if (outcome === 'allowed') return run(turn, report, prepared);
  return outcome === 'rejected' ? refuse(report) : dismiss(report);
}

async function prepare(
  { toolName, json }: ModelToolCall,
  tool: Tool | undefined,
  context: ToolContext,
): Promise<PreparedCall> {
  if (tool === undefined) throw new ToolError(`There is no tool ${toolName}.`);
  return tool.prepare(parseInput(json), context);
}

async function run(turn: Turn, report: ToolReport, { run: work }: PreparedCall): Promise<ToolOutcome> {
  try {
    await report.start();
    const { text, content, rawOutput } = await work((shown) => report.progress(shown));
    await report.complete(content?.length === 0 ? undefined : (content ?? text), rawOutput);
    return { output: { type: 'text', value: text } };
  } catch (error) {
    return fail(report, turn, error);
  }
}

async function fail(report: ToolReport, turn: Turn, error: unknown): Promise<ToolOutcome> {
  if (turn.signal.aborted) return dismiss(report);
  const message = failureMessage(error);
  const { content = message, rawOutput } = error instanceof ToolError ? error : {};
  await report.fail(content, rawOutput);
  return { output: { type: 'error-text', value: message } };
}

async function refuse(report: ToolReport): Promise<ToolOutcome> {
  const reason = 'Permission was refused; nothing was changed.';
  await report.fail(reason);
  return { output: { type: 'execution-denied', reason } };
}

async function dismiss(report: ToolReport): Promise<ToolOutcome> {
  const before = report.state.status === 'pending';
  const reason = before ? 'Cancelled; nothing was changed.' : 'Cancelled while it ran.';
  await report.fail(reason);
  return { output: { type: 'error-text', value: reason }, dismissed: true };
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json === '' ? '{}' : json);
  } catch {
    throw new ToolError('The input is not valid JSON.');
  }
}

function rawInputOf({ json }: ModelToolCall): Pick<ToolAnnouncement, 'rawInput'> {
  try {
    return { rawInput: parseInput(json) };
  } catch {
    return { rawInput: json };
  }
}
