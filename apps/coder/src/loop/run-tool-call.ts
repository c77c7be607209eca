import type { ToolAnnouncement, ToolReport } from '@agentwire/agent';
import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider';
import { admit } from '../permission/admit.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { PreparedCall, Tool, ToolContext } from '../tools/tool.ts';
import { failureMessage, ToolError } from '../tools/tool-error.ts';
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
}

/**
 * Runs one tool call and reports on it: works out what it would do, asks the person unless it only looks, does it.
 * Never throws: what goes wrong is the call's outcome.
 */
export async function runToolCall(turn: CoderTurn, { call, tool }: PendingCall): Promise<ToolOutcome> {
  const context: ToolContext = { ...turn.session.memory, turn, signal: turn.signal };
  const announcement: ToolAnnouncement = {
    title: call.toolName,
    name: call.toolName,
    kind: tool?.kind ?? 'other',
    ...rawInputOf(call),
  };
  let known: { readonly tool: Tool; readonly prepared: PreparedCall };
  try {
    known = await prepare(call, tool, context);
  } catch (error) {
    return fail(turn.tool(announcement), turn, error);
  }
  const { prepared } = known;
  const { title, locations, preview } = prepared;
  const report = turn.tool({
    ...announcement,
    title,
    ...(locations && { locations }),
    ...(preview && { content: preview }),
  });
  const admission = await admit(turn, { ...known, report });
  if (admission.outcome === 'allowed') return run(turn, report, prepared);
  return admission.outcome === 'refused' ? refuse(report, admission.reason) : dismiss(report);
}

async function prepare(
  { toolName, json }: ModelToolCall,
  tool: Tool | undefined,
  context: ToolContext,
): Promise<{ readonly tool: Tool; readonly prepared: PreparedCall }> {
  if (tool === undefined) throw new ToolError(`There is no tool ${toolName}.`);
  return { tool, prepared: await tool.prepare(parseInput(json), context) };
}

async function run(turn: CoderTurn, report: ToolReport, { run: work }: PreparedCall): Promise<ToolOutcome> {
  try {
    await report.start();
    const { text, content, rawOutput } = await work(report);
    await report.complete(content?.length === 0 ? undefined : (content ?? text), rawOutput);
    return { output: { type: 'text', value: text } };
  } catch (error) {
    return fail(report, turn, error);
  }
}

async function fail(report: ToolReport, turn: CoderTurn, error: unknown): Promise<ToolOutcome> {
  if (turn.signal.aborted) return dismiss(report);
  const message = failureMessage(error);
  const { content = message, rawOutput } = error instanceof ToolError ? error : {};
  await report.fail(content, rawOutput);
  return { output: { type: 'error-text', value: message } };
}

async function refuse(report: ToolReport, reason: string): Promise<ToolOutcome> {
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
