import { TurnwireError } from '@turnwire/protocol';
import type {
  ContentBlock,
  Notice,
  PermissionOption,
  PromptResponse,
  SessionUpdate,
  UsageUpdate,
} from '@turnwire/protocol';
import type { SentPrompt } from './queued-prompt.ts';
import type { SessionPublisher } from '../session/session-publisher.ts';
import type { Session } from '../session/session.ts';
import type { TakeWaiting } from './turn-queue.ts';
import { askPermission } from './ask-permission.ts';
import { askUser, questionAsText } from './ask-user.ts';
import type { UserAnswer, UserQuestion } from './ask-user.ts';
import { TerminalRegistry } from './client-terminals.ts';
import { runInClient } from './client-command.ts';
import type { CommandOutcome, CommandRequest } from './turn-commands.ts';
import { OpenCompaction } from './compaction-report.ts';
import type { CompactionReport } from './compaction-report.ts';
import type { LocalMachine } from './local-machine.ts';
import { turnClient } from './turn-client.ts';
import type { TurnClient } from './turn-client.ts';
import { notAvailable, turnFiles } from './turn-files.ts';
import type { TurnFiles } from './turn-files.ts';
import { asContent, OpenToolCall } from './tool-report.ts';
import type { ToolReport } from './tool-report.ts';
import type { ChildTask, PermissionAnswer, PlanStep, ToolAnnouncement, Turn, WaitingPrompt } from './turn.ts';

/** The inputs of a turn. */
export interface TurnParts<Memory> {
  readonly session: Session<Memory>;
  readonly publisher: SessionPublisher;
  readonly sent: SentPrompt;
  /** Aborts when the turn is cancelled. */
  readonly cancelled: AbortSignal;
  /** Provides files and commands that the client does not. */
  readonly machine: LocalMachine | undefined;
  /** Takes the waiting prompts into the turn. */
  readonly takeWaiting: TakeWaiting;
  /** Starts a session for a part of the work, until the signal aborts. Absent: the client shows none. */
  readonly delegate?:
    | ((task: ChildTask, work: Work<Memory>, signal: AbortSignal) => Promise<PromptResponse>)
    | undefined;
}

type Work<Memory> = Parameters<NonNullable<Turn<Memory>['delegate']>>[1];

type ChunkKind = 'agent_message_chunk' | 'agent_thought_chunk';

/** The turn of a prompt while it runs. */
export class RunningTurn<Memory> implements Turn<Memory> {
  readonly session: Session<Memory>;
  readonly client: TurnClient;
  readonly files: TurnFiles;
  readonly prompt: readonly ContentBlock[];
  readonly text: string;
  readonly meta: Turn['meta'];
  readonly signal: AbortSignal;
  readonly cancelled: AbortSignal;
  declare readonly delegate?: NonNullable<Turn<Memory>['delegate']>;
  readonly #publisher: SessionPublisher;
  readonly #machine: LocalMachine | undefined;
  readonly #takeWaiting: TurnParts<Memory>['takeWaiting'];
  readonly #controller = new AbortController();
  readonly #terminals: TerminalRegistry;
  readonly #open = new Set<OpenToolCall>();
  readonly #compactions = new Set<OpenCompaction>();
  /** The message that the next chunk continues, and its last two characters. */
  #message: { readonly kind: ChunkKind; readonly id: string; end: string } | undefined;
  #isOver = false;

  constructor({ session, publisher, sent, cancelled, machine, takeWaiting, delegate }: TurnParts<Memory>) {
    this.session = session;
    this.cancelled = cancelled;
    this.signal = AbortSignal.any([cancelled, this.#controller.signal]);
    if (delegate) this.delegate = (task, work) => delegate(task, work, this.signal);
    const { sessionId } = publisher;
    this.#terminals = new TerminalRegistry({
      peer: publisher.client.peer,
      sessionId,
      signal: this.signal,
      shown: (terminalId, output) => publisher.recordTerminal(terminalId, output),
    });
    this.client = turnClient(publisher.client, {
      sessionId,
      signal: this.signal,
      terminals: this.#terminals,
    });
    this.#machine = machine;
    this.files = turnFiles({ client: this.client, cwd: session.cwd, machine });
    const { prompt, text, meta } = toWaitingPrompt(sent);
    this.prompt = prompt;
    this.text = text;
    this.meta = meta;
    this.#publisher = publisher;
    this.#takeWaiting = takeWaiting;
  }

  readonly commands = {
    run: (tool: ToolReport, command: CommandRequest): Promise<CommandOutcome> => this.#run(tool, command),
  };

  takeWaiting(isWanted: (waiting: WaitingPrompt) => boolean = () => true): readonly WaitingPrompt[] {
    if (this.#isOver || this.signal.aborted) return [];
    const taken = this.#takeWaiting((sent) => isWanted(toWaitingPrompt(sent))).map(toWaitingPrompt);
    // The next text answers those prompts, so it starts a new message.
    if (taken.length > 0) this.#message = undefined;
    return taken;
  }

  say(content: string | ContentBlock): Promise<void> {
    return this.#chunk('agent_message_chunk', content);
  }

  message(text: string): Promise<void> {
    void this.endMessage();
    const sent = this.say(`${text.trimEnd()}\n\n`);
    this.#message = undefined;
    return sent;
  }

  endMessage(): Promise<void> {
    const { kind, end } = this.#message ?? { end: '' };
    const isMidParagraph = kind === 'agent_message_chunk' && end !== '\n\n';
    const sent = isMidParagraph ? this.say(end.endsWith('\n') ? '\n' : '\n\n') : Promise.resolve();
    this.#message = undefined;
    return sent;
  }

  think(content: string | ContentBlock): Promise<void> {
    return this.#chunk('agent_thought_chunk', content);
  }

  update(update: SessionUpdate): Promise<void> {
    this.#message = undefined;
    return this.#update(update);
  }

  plan(steps: readonly PlanStep[]): Promise<void> {
    const entries = steps.map((step) => ({
      priority: 'medium' as const,
      status: 'pending' as const,
      ...(typeof step === 'string' ? { content: step } : step),
    }));
    return this.#update({ sessionUpdate: 'plan', entries });
  }

  usage(usage: UsageUpdate): Promise<void> {
    return this.#update({ sessionUpdate: 'usage_update', ...usage });
  }

  notice(notice: Notice): Promise<void> {
    // Notices are not stored.
    if (this.client.capabilities.session?.notices) return this.#update({ sessionUpdate: 'notice', ...notice }, null);
    return this.message([notice.title, notice.description].filter(Boolean).join('\n\n'));
  }

  compaction(): CompactionReport {
    this.#message = undefined;
    const isKnown = Boolean(this.client.capabilities.session?.compaction);
    const compaction = new OpenCompaction((update, stored) =>
      isKnown ? this.#update(update, stored) : Promise.resolve(),
    );
    this.#compactions.add(compaction);
    return compaction;
  }

  tool({ content, toolCallId = crypto.randomUUID(), ...announcement }: ToolAnnouncement): ToolReport {
    this.#message = undefined;
    const call = new OpenToolCall(
      {
        toolCallId,
        status: 'pending',
        ...announcement,
        ...(content !== undefined && { content: asContent(content) }),
      },
      { send: (update, stored) => this.#update(update, stored), settled: () => this.#open.delete(call) },
    );
    if (!this.#isOver) this.#open.add(call);
    void this.#update({ sessionUpdate: 'tool_call', ...call.state });
    return call;
  }

  async askPermission(tool: ToolReport, options?: readonly PermissionOption[]): Promise<PermissionAnswer> {
    if (this.#isOver) return { outcome: 'cancelled' };
    return askPermission({ sessionId: this.#publisher.sessionId, toolCall: tool.state, options }, this.#asking());
  }

  async askUser(question: UserQuestion): Promise<UserAnswer> {
    if (this.#isOver) return { outcome: 'cancelled' };
    const { toolCallId } = question;
    const scope = { sessionId: this.#publisher.sessionId, ...(toolCallId !== undefined && { toolCallId }) };
    const answer = await askUser(question, { ...this.#asking(), scope });
    if (answer !== undefined) return answer;
    await this.message(questionAsText(question));
    return { outcome: 'said' };
  }

  /** Notifies the user if the session cannot be stored, or can be again. */
  reportStoring(): void {
    const notice = this.#publisher.takeNotice();
    if (notice !== undefined) void this.notice(notice);
  }

  /** Aborts a turn that takes too long. */
  stop(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Ends all open calls, and cancels pending requests. Later updates are dropped. */
  end(): void {
    const why = this.signal.aborted ? 'Cancelled.' : 'The turn ended before this call did.';
    for (const call of this.#open) {
      const { status, content = [] } = call.state;
      void call.fail(status === 'in_progress' ? [...content, ...asContent(why)] : why);
    }
    for (const compaction of this.#compactions) void compaction.cancel();
    this.#terminals.releaseAll();
    this.reportStoring();
    this.#isOver = true;
    this.#controller.abort(new TurnwireError('cancelled', 'The turn is over'));
  }

  async #run(tool: ToolReport, command: CommandRequest): Promise<CommandOutcome> {
    if (!(tool instanceof OpenToolCall))
      throw new TurnwireError('invalid-input', 'A command runs for a tool call: pass the value returned by turn.tool');
    const { terminals, capabilities } = this.client;
    const machine = this.#machine;
    const { cwd } = this.session;
    const resolved = { ...command, cwd: command.cwd ?? machine?.resolve(cwd, '.') ?? cwd };
    if (terminals) {
      await tool.start();
      const outcome = await runInClient({ terminals, tool, machine }, resolved);
      this.signal.throwIfAborted();
      return outcome;
    }
    if (!machine) throw notAvailable('run commands');
    await tool.start();
    const cancellable = this.#publisher.wire.commandStarts(tool.state.toolCallId);
    try {
      return await machine.run(tool, resolved, {
        signal: this.signal,
        stopped: cancellable?.stopped,
        showsChunks: capabilities._meta?.['terminal_output'] === true,
        shown: (terminalId, output) => this.#publisher.recordTerminal(terminalId, output),
      });
    } finally {
      cancellable?.ended();
    }
  }

  #asking(): Pick<SessionPublisher, 'wire' | 'log'> & { readonly signal: AbortSignal } {
    return { wire: this.#publisher.wire, signal: this.signal, log: this.#publisher.log };
  }

  #chunk(kind: ChunkKind, said: string | ContentBlock): Promise<void> {
    if (said === '') return Promise.resolve();
    if (this.#message?.kind !== kind) this.#message = { kind, id: crypto.randomUUID(), end: '\n\n' };
    const content: ContentBlock = typeof said === 'string' ? { type: 'text', text: said } : said;
    this.#message.end = content.type === 'text' ? `${this.#message.end}${content.text}`.slice(-2) : '\n\n';
    return this.#update({ sessionUpdate: kind, messageId: this.#message.id, content });
  }

  #update(update: SessionUpdate, stored?: SessionUpdate | null): Promise<void> {
    if (!this.#isOver) return this.#publisher.send(update, stored);
    this.#publisher.log({
      level: 'warn',
      event: 'an update was dropped because its turn has ended',
      direction: 'out',
      method: 'session/update',
      detail: update.sessionUpdate,
    });
    return Promise.resolve();
  }
}

function toWaitingPrompt({ prompt, _meta }: SentPrompt): WaitingPrompt {
  const texts = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return { prompt, text: texts.join('\n'), meta: _meta ?? {} };
}
