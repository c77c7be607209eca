import type { ToolAnnouncement, ToolChanges, ToolContent, ToolReport } from '@turnwire/agent';
import type { LanguageModelV3ToolCall } from '@ai-sdk/provider';
import type { CoderTurn } from '../session/session-memory.ts';
import type { Tool } from '../tools/tool.ts';
import type { ModelToolCall } from './model-answer.ts';
import { parseInput } from './parse-input.ts';

/** The tool calls of one answer as the user sees them: from the moment the model begins one, before its input is known. */
export class AnnouncedCalls {
  readonly #turn: CoderTurn;
  readonly #tools: ReadonlyMap<string, Tool>;
  /** The calls that the model has begun and not finished, by the model's ids. */
  readonly #begun = new Map<string, ToolReport>();
  readonly #all: ToolReport[] = [];

  constructor(turn: CoderTurn, tools: ReadonlyMap<string, Tool>) {
    this.#turn = turn;
    this.#tools = tools;
  }

  get size(): number {
    return this.#all.length;
  }

  /** Announces a call the model begins. */
  begin(id: string, toolName: string): void {
    this.#begun.set(id, this.#announce(toolName, {}));
  }

  /** Reports that the input of a call is complete. Partial input is never shown: half an edit reads like a deletion. */
  async whole({ toolCallId, toolName, input }: LanguageModelV3ToolCall): Promise<ToolReport> {
    const begun = this.#begun.get(toolCallId);
    const change = { rawInput: inputOrText(input) };
    if (begun === undefined) return this.#announce(toolName, change);
    this.#begun.delete(toolCallId);
    await begun.progress(change);
    return begun;
  }

  /** Fails all other calls: they will never run. */
  async failAllBut(calls: readonly ModelToolCall[], reason: string): Promise<void> {
    const kept = new Set(calls.map(({ report }) => report));
    for (const report of this.#all) if (!kept.has(report)) await report.fail(reason);
  }

  #announce(toolName: string, known: Pick<ToolAnnouncement, 'rawInput'>): ToolReport {
    const { kind = 'other', hasOwnUpdate } = this.#tools.get(toolName) ?? {};
    const naming = toolName ? { title: toolName, name: toolName } : { title: 'A tool without a name' };
    const announcement = { ...naming, kind, ...known };
    const report = hasOwnUpdate ? new UnshownCall(this.#turn, announcement) : this.#turn.tool(announcement);
    this.#all.push(report);
    return report;
  }
}

/** A call that is sent to the client only if it fails. */
class UnshownCall implements ToolReport {
  readonly #turn: CoderTurn;
  #state: ToolReport['state'];

  constructor(turn: CoderTurn, announcement: Pick<ToolReport['state'], 'title' | 'name' | 'kind' | 'rawInput'>) {
    this.#turn = turn;
    this.#state = { toolCallId: crypto.randomUUID(), status: 'pending', ...announcement };
  }

  get state(): ToolReport['state'] {
    return this.#state;
  }

  start(): Promise<void> {
    this.#state = { ...this.#state, status: 'in_progress' };
    return Promise.resolve();
  }

  progress(changes: ToolContent | ToolChanges): Promise<void> {
    const { title, rawInput }: ToolChanges = typeof changes === 'object' && !('length' in changes) ? changes : {};
    this.#state = { ...this.#state, ...(title && { title }), ...(rawInput !== undefined && { rawInput }) };
    return Promise.resolve();
  }

  complete(): Promise<void> {
    return Promise.resolve();
  }

  fail(message: ToolContent, rawOutput?: unknown): Promise<void> {
    const { status: _, content: __, ...announcement } = this.#state;
    return this.#turn.tool(announcement).fail(message, rawOutput);
  }
}

function inputOrText(json: string): unknown {
  try {
    return parseInput(json);
  } catch {
    return json;
  }
}
