import type { ToolReport } from '@turnwire/agent';
import { type ToolCallUpdate, toolCallChanges } from '@turnwire/protocol';
import type { CoderTurn } from '../session/session-memory.ts';

/** The tool calls of a hired agent, shown in the turn of its task. */
export class ShownCalls {
  readonly #turn: Pick<CoderTurn, 'tool'>;
  readonly #parent: string | undefined;
  readonly #reports = new Map<string, ToolReport>();

  /** @param parent the id of the call that the calls are shown below; undefined if the turn is that of the agent's own session */
  constructor(turn: Pick<CoderTurn, 'tool'>, parent: string | undefined) {
    this.#turn = turn;
    this.#parent = parent;
  }

  /** Shows a call, or a change of it, as the agent reports it. */
  show(call: ToolCallUpdate): ToolReport {
    const { toolCallId } = call;
    const { toolCallId: _, status, title, ...changes } = toolCallChanges(call);
    const known = this.#reports.get(toolCallId);
    const report = known ?? this.#announce(call);
    if (known) void report.progress({ ...changes, ...(title !== undefined && { title }) });
    if (status === 'in_progress') void report.start();
    else if (status === 'completed') void report.complete();
    else if (status === 'failed') void report.fail(report.state.content ?? []);
    return report;
  }

  #announce(call: ToolCallUpdate): ToolReport {
    const { toolCallId } = call;
    const { toolCallId: _, status: __, title = 'Use a tool', _meta, ...fields } = toolCallChanges(call);
    const below = this.#parent !== undefined && { claudeCode: { parentToolUseId: this.#parent } };
    const report = this.#turn.tool({
      ...fields,
      title,
      // In this session, the ids of another agent could be those of other calls.
      toolCallId: this.#parent === undefined ? toolCallId : `${this.#parent}:${toolCallId}`,
      ...((_meta || below) && { _meta: { ..._meta, ...below } }),
    });
    this.#reports.set(toolCallId, report);
    return report;
  }
}
