import type { ContentBlock, PermissionOption, SessionUpdate } from '@agentwire/protocol';
import type { SessionOutlet } from '../session/session-outlet.ts';
import type { Session } from '../session/session.ts';
import { askPermission } from './ask-permission.ts';
import { turnClient } from './turn-client.ts';
import type { TurnClient } from './turn-client.ts';
import { asContent, OpenToolCall } from './tool-report.ts';
import type { ToolReport } from './tool-report.ts';
import type { PermissionAnswer, PlanStep, ToolAnnouncement, Turn } from './turn.ts';

/** What a turn is made of. */
export interface TurnParts<Memory> {
  readonly session: Session<Memory>;
  readonly outlet: SessionOutlet;
  readonly prompt: readonly ContentBlock[];
  readonly signal: AbortSignal;
}

type ChunkKind = 'agent_message_chunk' | 'agent_thought_chunk';

/** A turn while it lasts. */
export class RunningTurn<Memory> implements Turn<Memory> {
  readonly session: Session<Memory>;
  readonly client: TurnClient;
  readonly prompt: readonly ContentBlock[];
  readonly text: string;
  readonly signal: AbortSignal;
  readonly #outlet: SessionOutlet;
  readonly #open = new Set<OpenToolCall>();
  #message: { readonly kind: ChunkKind; readonly id: string } | undefined;
  #isOver = false;

  constructor({ session, outlet, prompt, signal }: TurnParts<Memory>) {
    this.session = session;
    this.client = turnClient(outlet.peer, session.id, signal);
    this.prompt = prompt;
    this.text = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    this.signal = signal;
    this.#outlet = outlet;
  }

  say(text: string): Promise<void> {
    return this.#chunk('agent_message_chunk', text);
  }

  think(text: string): Promise<void> {
    return this.#chunk('agent_thought_chunk', text);
  }

  plan(steps: readonly PlanStep[]): Promise<void> {
    const entries = steps.map((step) => ({
      priority: 'medium' as const,
      status: 'pending' as const,
      ...(typeof step === 'string' ? { content: step } : step),
    }));
    return this.#update({ sessionUpdate: 'plan', entries });
  }

  tool({ content, ...announcement }: ToolAnnouncement): ToolReport {
    this.#message = undefined;
    const call = new OpenToolCall(
      {
        toolCallId: crypto.randomUUID(),
        status: 'pending',
        ...announcement,
        ...(content !== undefined && { content: asContent(content) }),
      },
      { send: (update) => this.#update(update), settled: () => this.#open.delete(call) },
    );
    if (!this.#isOver) this.#open.add(call);
    void this.#update({ sessionUpdate: 'tool_call', ...call.state });
    return call;
  }

  async askPermission(tool: ToolReport, options?: readonly PermissionOption[]): Promise<PermissionAnswer> {
    if (this.#isOver) return { outcome: 'cancelled' };
    return askPermission(
      { sessionId: this.session.id, toolCall: tool.state, options },
      { peer: this.#outlet.peer, signal: this.signal, log: this.#outlet.log },
    );
  }

  /** Settles what is open. What is sent after this is dropped. */
  end(): void {
    const why = this.signal.aborted ? 'Cancelled.' : 'The turn ended before this call did.';
    for (const call of this.#open) void call.fail(why);
    this.#isOver = true;
  }

  #chunk(kind: ChunkKind, text: string): Promise<void> {
    if (text === '') return Promise.resolve();
    if (this.#message?.kind !== kind) this.#message = { kind, id: crypto.randomUUID() };
    return this.#update({ sessionUpdate: kind, messageId: this.#message.id, content: { type: 'text', text } });
  }

  #update(update: SessionUpdate): Promise<void> {
    if (this.#isOver) {
      this.#outlet.log({
        level: 'warn',
        event: 'an update came after its turn and was dropped',
        direction: 'out',
        method: 'session/update',
        detail: update.sessionUpdate,
      });
      return Promise.resolve();
    }
    return this.#outlet.send(update);
  }
}
