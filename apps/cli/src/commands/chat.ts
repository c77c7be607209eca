import type { Agent, PermissionPolicy, Session } from '@agentwire/client';
import { AgentwireError } from '@agentwire/protocol';
import { exitCodes } from '../exit-codes.ts';
import { complain, explain } from '../failure.ts';
import { openAgent } from '../open-agent.ts';
import type { GlobalOptions } from '../options.ts';
import { TextView } from '../output/text-view.ts';
import { ToolCalls } from '../output/tool-calls.ts';
import type { Asking } from '../permission/ask-person.ts';
import { choosePolicy } from '../permission/choose-policy.ts';
import { Stopping } from '../stopping.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { type Answer, type Lines, PipedLines, TypedLines } from '../terminal/lines.ts';
import { type Paint, paintFor } from '../terminal/paint.ts';
import { version } from '../version.ts';
import { openSession, runTurn } from './turn-run.ts';

/** Talks with the agent until the person leaves or the input ends. Resolves with the exit code. */
export async function chat(options: GlobalOptions): Promise<number> {
  const isPlain = options.plain === true || process.env['TERM'] === 'dumb';
  if (!process.stdin.isTTY || !process.stdout.isTTY || isPlain) return lineChat(options);
  const { openChat } = await import('../interactive/open-chat.ts');
  await using interactive = openChat(options, { input: process.stdin, output: process.stdout });
  return await interactive.left;
}

/** A chat of lines that are printed once: for pipes, and for whoever is read to by a program. */
async function lineChat(options: GlobalOptions): Promise<number> {
  const paint = paintFor(process.stdout);
  const conversation = new Conversation(options, paint);
  const isTyped = process.stdin.isTTY && process.stdout.isTTY;
  const lines = isTyped
    ? new TypedLines({ input: process.stdin, output: process.stdout })
    : new PipedLines(process.stdin);
  try {
    const agent = await conversation.open(lines);
    if (isTyped) say(banner(agent, options, paint));
    return await converse(conversation, lines, paint);
  } catch (error) {
    return conversation.failed(error);
  } finally {
    await conversation.close();
  }
}

async function converse(conversation: Conversation, lines: Lines, paint: Paint): Promise<number> {
  let wasInterrupted = false;
  while (conversation.ended === undefined) {
    const answer = await conversation.read(lines, paint('cyan', '› '));
    if (answer === 'ended' || isFarewell(answer)) return exitCodes.ok;
    if (answer !== 'interrupted') await conversation.hear(answer.line.trim());
    else if (wasInterrupted) return exitCodes.interrupted;
    else say('Ctrl-C again leaves, and so does Ctrl-D.\n');
    wasInterrupted = answer === 'interrupted';
  }
  return conversation.ended;
}

/** One agent, one session, and what is shown of them. */
class Conversation {
  readonly #options: GlobalOptions;
  readonly #calls = new ToolCalls();
  readonly #view: TextView;
  readonly #paint: Paint;
  #agent: Agent | undefined;
  #session: Session | undefined;
  #stopping: Stopping | undefined;
  #ended: number | undefined;

  constructor(options: GlobalOptions, paint: Paint) {
    this.#options = options;
    this.#paint = paint;
    this.#view = new TextView({ write: say, paint, detailed: true });
  }

  /** The exit code, once the chat cannot go on. */
  get ended(): number | undefined {
    return this.#ended;
  }

  async open(lines: Lines): Promise<Agent> {
    using stopping = this.#begin(undefined);
    this.#agent = await openAgent(this.#options, { permission: this.#policy(lines), signal: stopping.signal });
    this.#session = await openSession(this.#agent, this.#options, {
      view: this.#view,
      calls: this.#calls,
      signal: stopping.signal,
    });
    return this.#agent;
  }

  /** Waits for the next line. A signal meanwhile ends the chat. */
  async read(lines: Lines, prompt: string): Promise<Answer> {
    using stopping = this.#begin(undefined);
    const answer = await lines.read(prompt, stopping.signal);
    this.#ended = stopping.reason?.exitCode;
    return stopping.reason ? { line: '' } : answer;
  }

  async hear(line: string): Promise<void> {
    if (line === '/help') say(help);
    else if (line !== '') await this.#turn(line);
  }

  /** Runs a turn. Errors of the agent end the turn, not the chat; if the agent is gone, the chat is over. */
  async #turn(prompt: string): Promise<void> {
    using stopping = this.#begin(this.#options.timeout);
    try {
      await runTurn(this.#session as Session, prompt, { view: this.#view, calls: this.#calls, stopping });
    } catch (error) {
      complain(explain(error, this.#agent));
      if (error instanceof AgentwireError) this.#ended = exitCodes.error;
    }
    this.#note(stopping);
  }

  /** The exit code of a chat that could not begin. */
  failed(error: unknown): number {
    const stopped = this.#stopping?.reason;
    if (!stopped) complain(explain(error, this.#agent));
    return stopped?.exitCode ?? exitCodes.error;
  }

  async close(): Promise<void> {
    await this.#agent?.close();
  }

  #begin(timeout: number | undefined): Stopping {
    this.#stopping = new Stopping(timeout);
    return this.#stopping;
  }

  /** Ctrl-C and a timeout end a turn; other signals end the chat. */
  #note({ reason }: Stopping): void {
    if (!reason) return;
    const endsTurn = reason.exitCode === exitCodes.interrupted || reason.exitCode === exitCodes.timeout;
    if (endsTurn) say(this.#paint('dim', `(${reason.message ?? 'stopped'})\n`));
    else this.#ended ??= reason.exitCode;
  }

  #policy(lines: Lines): PermissionPolicy {
    return choosePolicy(this.#options, this.#calls, lines instanceof TypedLines ? this.#asking(lines) : undefined);
  }

  #asking(lines: TypedLines): Asking {
    const onQuestion = (callId: string): void => this.#view.question(callId);
    return { lines, write: say, paint: this.#paint, onQuestion, onInterrupt: () => this.#stopping?.interrupt() };
  }
}

function say(text: string): void {
  process.stdout.write(text);
}

function isFarewell(answer: Answer): boolean {
  return typeof answer === 'object' && (answer.line.trim() === '/exit' || answer.line.trim() === '/quit');
}

function banner({ info }: Agent, { cwd }: GlobalOptions, paint: Paint): string {
  const name = cleanLine(info?.title ?? info?.name ?? 'an agent that does not say its name');
  return `${paint('bold', `agentwire ${version()}`)} with ${name} in ${cwd}\n${paint('dim', 'Ctrl-C stops a turn; /exit or Ctrl-D leaves; /help says more.')}\n`;
}

const help = `Type what you want done. The agent works in this folder and asks before it changes anything.
  /exit   leave (Ctrl-D does the same)
  Ctrl-C  stop the turn that runs; press it again to leave at once
`;
