import type { Session } from '@turnwire/client';
import { TurnwireError } from '@turnwire/protocol';
import { exitCodes } from '../exit-codes.ts';
import { agentCommand } from '../driving/agent-command.ts';
import { DrivenSession } from '../driving/driven-session.ts';
import { CommandError, complain, explain } from '../failure.ts';
import { CostLimit } from '../limits/cost-limit.ts';
import type { GlobalOptions } from '../options.ts';
import { TextView } from '../output/text-view.ts';
import { ToolCalls } from '../output/tool-calls.ts';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import { turnPermissions } from '../permission/turn-permissions.ts';
import { Stopping } from '../stopping.ts';
import { type Answer, PipedLines } from '../terminal/lines.ts';
import { stdout } from '../terminal/output.ts';
import { runTurn } from './turn-run.ts';

/** Runs a chat with the agent until the user leaves or the input ends. Resolves with the exit code. */
export async function chat(options: GlobalOptions): Promise<number> {
  if (!process.stdin.isTTY || !stdout.isTerminal) return pipedChat(options);
  const { openChat, openPlainChat } = await import('../interactive/open-chat.ts');
  const terminal = { input: process.stdin, output: stdout };
  const isPlain = options.plain === true || process.env['TERM'] === 'dumb';
  await using interactive = await (isPlain ? openPlainChat(options, terminal) : openChat(options, terminal));
  return await interactive.left;
}

/** A chat without a terminal: each line of input is a prompt, and there is no user to ask. */
async function pipedChat(options: GlobalOptions): Promise<number> {
  const conversation = new PipedConversation(options);
  const lines = new PipedLines(process.stdin);
  try {
    await conversation.open();
    return await converse(conversation, lines);
  } catch (error) {
    return conversation.failed(error);
  } finally {
    await conversation.close();
  }
}

async function converse(conversation: PipedConversation, lines: PipedLines): Promise<number> {
  while (conversation.ended === undefined) {
    const answer = await conversation.read(lines);
    if (answer === 'ended' || isFarewell(answer)) return exitCodes.ok;
    if (answer !== 'interrupted') await conversation.answer(answer.line.trim());
  }
  return conversation.ended;
}

/** One agent, one session and their output. */
class PipedConversation {
  readonly #options: GlobalOptions;
  readonly #cost: CostLimit;
  readonly #calls = new ToolCalls();
  readonly #view = new TextView({
    write: say,
    columns: () => stdout.size?.columns,
    paint: stdout.paint,
    detailed: true,
  });
  #driven: DrivenSession | undefined;
  #session: Session | undefined;
  #stopping: Stopping | undefined;
  #ended: number | undefined;

  constructor(options: GlobalOptions) {
    this.#options = options;
    this.#cost = new CostLimit(options.maxCost);
  }

  /** The exit code, once the chat cannot continue. */
  get ended(): number | undefined {
    return this.#ended;
  }

  async open(): Promise<void> {
    using stopping = this.#begin(undefined);
    const { cwd, permission, verbose: isVerbose } = this.#options;
    const stop = (message: string): void => this.#stopping?.stop({ exitCode: exitCodes.denied, message });
    const command = await agentCommand(this.#options);
    const { differences } = command;
    const permissions = turnPermissions(permission, { cwd, differences, remark: complain, isVerbose, stop });
    requireEnforceablePolicy(differences, permissions, cwd);
    this.#driven = new DrivenSession({
      ...{ options: this.#options, command, permissions },
      onUpdate: (update) => {
        const message = this.#cost.exceededBy(update);
        if (message !== undefined) this.#stopping?.stop({ exitCode: exitCodes.tooExpensive, message });
        this.#view.update(update, this.#calls.take(update));
      },
    });
    this.#session = await this.#driven.open(stopping.signal);
  }

  /** Waits for the next line. A signal in the meantime ends the chat. */
  async read(lines: PipedLines): Promise<Answer> {
    using stopping = this.#begin(undefined);
    const answer = await lines.read(stopping.signal);
    this.#ended = stopping.reason?.exitCode;
    return stopping.reason ? { line: '' } : answer;
  }

  /** Runs a turn. An error of the agent ends the turn, not the chat; if the agent is gone, the chat is over. */
  async answer(prompt: string): Promise<void> {
    if (prompt === '') return;
    using stopping = this.#begin(this.#options.timeout);
    try {
      await runTurn(this.#session as Session, prompt, { view: this.#view, calls: this.#calls, stopping });
    } catch (error) {
      complain(explain(error, this.#driven?.agent));
      if (error instanceof TurnwireError) this.#ended = exitCodes.error;
    }
    const warning = this.#cost.warning();
    if (warning !== undefined) complain(warning);
    this.#note(stopping);
  }

  /** The exit code of a chat that could not start. */
  failed(error: unknown): number {
    if (error instanceof CommandError) throw error;
    const stopped = this.#stopping?.reason;
    if (!stopped) complain(explain(error, this.#driven?.agent));
    return stopped?.exitCode ?? exitCodes.error;
  }

  async close(): Promise<void> {
    await this.#driven?.[Symbol.asyncDispose]();
  }

  #begin(timeout: number | undefined): Stopping {
    this.#stopping = new Stopping(timeout);
    return this.#stopping;
  }

  /** Ctrl-C and a timeout end a turn; other signals end the chat. */
  #note({ reason }: Stopping): void {
    if (!reason) return;
    const endsTurn = reason.exitCode === exitCodes.interrupted || reason.exitCode === exitCodes.timeout;
    if (endsTurn) say(`(${reason.message ?? 'stopped'})\n`);
    else this.#ended ??= reason.exitCode;
  }
}

function say(text: string): void {
  stdout.print(text);
}

function isFarewell(answer: Answer): boolean {
  return typeof answer === 'object' && (answer.line.trim() === '/exit' || answer.line.trim() === '/quit');
}
