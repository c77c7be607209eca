import { type SessionUpdate, type ToolCallUpdate, TurnwireError } from '@turnwire/protocol';
import { agentCommand } from '../driving/agent-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn, explain } from '../failure.ts';
import { PrintedSession } from '../sessions/printed-session.ts';
import { runTurn } from '../sessions/run-turn.ts';
import type { GlobalOptions } from '../options.ts';
import type { WantedPlace } from '../option-values.ts';
import { inPlace } from '../session-places/in-place.ts';
import { originFolder } from '../own-places/place-folders.ts';
import type { TextView } from '../output/text-view.ts';
import { textView } from '../output/turn-screen.ts';
import { ToolCalls } from '../output/tool-calls.ts';
import type { ChatOpening } from '../interactive/chat-options.ts';
import type { ChatEnd } from '../interactive/chat-end.ts';
import { commandName } from '../command-name.ts';
import { type RecentSession, sessionKey } from '../store/recent-session.ts';
import { type KnownSession, knownSessions, shortIds } from '../store/known-sessions.ts';
import { withLastChoices } from './last-choices.ts';
import { type ContinueArguments, continuedSession, optionsWith } from './continued-session.ts';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import { Stopping } from '../stopping.ts';
import { type Answer, PipedLines } from '../terminal/lines.ts';
import { stdout } from '../terminal/output.ts';

/** The arguments of `chat`. */
export interface ChatArguments extends ContinueArguments {
  /** The first prompt; empty if the user types it in the chat. */
  readonly words: readonly string[];
}

/** Runs a chat with the agent until the user leaves or the input ends. Resolves with the exit code. */
export async function chat({ words, ...args }: ChatArguments, given: GlobalOptions): Promise<number> {
  const { options, session } = await continuedSession(args, given);
  const first = words.join(' ').trim();
  const agentSessionId = session?.sessionId;
  if (!process.stdin.isTTY || !stdout.isTerminal)
    return pipedChat(session ? options : await inPlace(options), { first, agentSessionId });
  let last: Pick<KnownSession, 'agent' | 'sessionId'> | undefined = session;
  const onRecorded = (recorded: RecentSession): void => void (last = recorded);
  const remembered = session ? { options } : await withLastChoices(options);
  const opening = {
    ...remembered,
    ...(first !== '' && { first }),
    ...(agentSessionId !== undefined && { agentSessionId }),
    onRecorded,
  };
  const exitCode = await chatsInTerminal(remembered.options, opening);
  if (last) stdout.printLine(await resumeLine(last));
  return exitCode;
}

/** Runs a chat, and another one each time the user switches the agent or the place. Resolves with the exit code of the last chat. */
async function chatsInTerminal(wanted: GlobalOptions, opening: ChatOpening): Promise<number> {
  const options = opening.agentSessionId === undefined ? await inPlace(wanted) : wanted;
  await using _use = options.placeUse;
  const left = await chatInTerminal(options, opening);
  if (typeof left === 'number') return left;
  const next =
    'place' in left
      ? { options: await inOtherPlace(options, left.place) }
      : await withLastChoices({ ...optionsWith({ name: left.agent }, options), isAgentNamed: true });
  return chatsInTerminal(next.options, { ...next, ...(opening.onRecorded && { onRecorded: opening.onRecorded }) });
}

/** The options for a new place of the same project. If the place cannot be made, the chat shows the reason and keeps its folder. */
async function inOtherPlace(options: GlobalOptions, place: WantedPlace): Promise<GlobalOptions> {
  try {
    return await inPlace({ ...options, cwd: originFolder(options.cwd), place });
  } catch (error) {
    warn(explain(error));
    return options;
  }
}

/** Runs one chat. Resolves when it is over and the terminal is restored. */
async function chatInTerminal(options: GlobalOptions, opening: ChatOpening): Promise<ChatEnd> {
  const { openChat, openPlainChat } = await import('../interactive/open-chat.ts');
  const terminal = { input: process.stdin, output: stdout };
  const isPlain = options.plain === true || process.env['TERM'] === 'dumb';
  await using interactive = await (isPlain ? openPlainChat : openChat)(options, terminal, opening);
  return await interactive.controller.left;
}

interface PipedOpening {
  readonly first: string;
  readonly agentSessionId: string | undefined;
}

/** A chat without a terminal. Each line of input is a prompt, and no user can answer questions. */
async function pipedChat(options: GlobalOptions, { first, agentSessionId }: PipedOpening): Promise<number> {
  await using _use = options.placeUse;
  const conversation = new PipedConversation(options);
  const lines = new PipedLines(process.stdin);
  try {
    await conversation.open(agentSessionId);
    await conversation.answer(first);
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

/** The session of a chat without a terminal, and its output. */
class PipedConversation {
  readonly #options: GlobalOptions;
  readonly #calls = new ToolCalls();
  #view: TextView | undefined;
  #session: PrintedSession | undefined;
  #stopping: Stopping | undefined;
  #ended: number | undefined;

  constructor(options: GlobalOptions) {
    this.#options = options;
  }

  /** The exit code once the chat cannot continue; undefined until then. */
  get ended(): number | undefined {
    return this.#ended;
  }

  async open(agentSessionId: string | undefined): Promise<void> {
    using stopping = this.#begin(undefined);
    const options = this.#options;
    const command = await agentCommand(options, { getsMissing: true });
    requireEnforceablePolicy(command.differences, options.permission, options.cwd);
    const view = await textView({ detailed: true, hidden: options.suppress });
    const update = (shown: SessionUpdate): undefined => void view.update(shown, this.#calls.take(shown));
    const terminal = (event: Parameters<ToolCalls['terminal']>[0]): undefined => {
      for (const change of this.#calls.terminal(event)) view.output(change);
    };
    const permissionAsked = (toolCall: ToolCallUpdate): void => this.#calls.permissionAsked(toolCall);
    this.#view = view;
    this.#session = new PrintedSession({
      options,
      command,
      screen: { update, terminal, permissionAsked },
      agentSessionId,
      usedBy: 'chat',
    });
    await this.#session.open(stopping.signal);
  }

  /** Waits for the next line. A signal during the wait ends the chat. */
  async read(lines: PipedLines): Promise<Answer> {
    using stopping = this.#begin(undefined);
    const answer = await lines.read(stopping.signal);
    this.#ended = stopping.reason?.exitCode;
    return stopping.reason ? { line: '' } : answer;
  }

  /** Runs a turn. An error of the agent ends only the turn; the death of the agent ends the chat. */
  async answer(prompt: string): Promise<void> {
    const session = this.#session;
    if (prompt === '' || !session) return;
    using stopping = this.#begin(this.#options.timeout);
    const end = (): void => this.#view?.end(this.#calls.clear());
    try {
      const content = [{ type: 'text', text: prompt } as const];
      await runTurn(session, content, { stopping, end });
    } catch (error) {
      warn(explain(error, session.agent));
      if (error instanceof TurnwireError) this.#ended = exitCodes.error;
    }
    this.#note(stopping);
  }

  /** Reports why the chat could not start, and returns its exit code. */
  failed(error: unknown): number {
    if (error instanceof CommandError) throw error;
    const stopped = this.#stopping?.reason;
    if (!stopped) warn(explain(error, this.#session?.agent));
    return stopped?.exitCode ?? exitCodes.error;
  }

  async close(): Promise<void> {
    await this.#session?.[Symbol.asyncDispose]();
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

/** The command that continues a session, printed when the user leaves it. */
async function resumeLine(session: Pick<RecentSession, 'agent' | 'sessionId'>): Promise<string> {
  const key = sessionKey(session);
  const ids = [...shortIds(await knownSessions()).values()];
  return `Resume with: ${commandName()} --resume ${ids.find((id) => key.startsWith(id)) ?? key.slice(0, 4)}`;
}
