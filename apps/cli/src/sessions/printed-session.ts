import type { FrameTap } from '@turnwire/client';
import { unlessAborted } from '@turnwire/machine/waits';
import { answerOf } from '@turnwire/permissions';
import { type AgentState, type ContentBlock, type SessionConfigOption, TurnwireError } from '@turnwire/protocol';
import type { Session, Subscriber, Subscription, TurnEnd } from '@turnwire/runtime';
import type { SessionEvent } from '@turnwire/client/gateway';
import type { AgentCommand } from '../driving/agent-command.ts';
import { elicitationOf } from '../driving/elicitation-of.ts';
import { answersOf } from '../driving/scripted-answers.ts';
import { mcpServersOf, modelOption } from '../driving/session-setup.ts';
import { sayTerminalLogin } from '../driving/terminal-login.ts';
import { warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import { verboseLog } from '../output/verbose-log.ts';
import { stderr } from '../terminal/output.ts';
import { CommandSessions } from './command-sessions.ts';
import type { NotedSessionsParts } from './noted-sessions.ts';
import { showEvent } from './session-client.ts';
import { sessionRules } from './session-rules.ts';

/** Options of a printed session. */
export interface PrintedSessionParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  readonly screen: Pick<TurnScreen, 'update' | 'terminal' | 'permissionAsked' | 'ask' | 'elicit'>;
  /** Receives every frame of the agent. */
  readonly tap?: FrameTap;
  /** The agent's id of the session to continue. Absent: a new one begins. */
  readonly agentSessionId?: string | undefined;
  readonly usedBy: NotedSessionsParts['usedBy'];
}

/** A session with its subscriber. */
interface Opened {
  readonly session: Session;
  readonly subscriber: Subscriber;
  readonly subscription: Subscription;
}

/** A session that ends with the command, and whose turns are printed. */
export class PrintedSession implements AsyncDisposable {
  readonly #parts: PrintedSessionParts;
  #sessions: CommandSessions | undefined;
  #opened: Opened | undefined;

  constructor(parts: PrintedSessionParts) {
    this.#parts = parts;
  }

  /** The offers of the agent; undefined until it runs. */
  get agent(): AgentState['offers'] {
    return this.#opened?.session.state.offers;
  }

  /** The options of the session; undefined if the agent has none. */
  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.#opened?.session.facts.configOptions ?? undefined;
  }

  /** Starts the agent and makes the session. */
  async open(signal: AbortSignal): Promise<void> {
    const { options, agentSessionId } = this.#parts;
    const { mcpConfig, config, model, cwd } = options;
    const servers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
    const subscriber = await this.#subscriber();
    this.#sessions = this.#commandSessions(servers);
    const session = await this.#sessions.begin(agentSessionId);
    const { subscription } = await session.subscribe(subscriber, { after: session.head });
    this.#opened = { session, subscriber, subscription };
    subscription.goLive();
    await unlessAborted(session.wake(), signal);
    if (model !== undefined) await this.#setModel(model);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    await this.#opened?.session.agent.setConfigOption(id, value);
  }

  /** Runs a turn. When it resolves, everything of the turn was printed. An aborted signal cancels the turn. */
  async prompt(content: readonly ContentBlock[], signal: AbortSignal): Promise<TurnEnd> {
    if (!this.#opened) throw new TurnwireError('connection-closed', 'The session is not open');
    const { session, subscriber, subscription } = this.#opened;
    const { maxCost, promptRetries, ifLost } = this.#parts.options;
    const limits = {
      ...(maxCost !== undefined && { cost: maxCost }),
      ...(promptRetries !== undefined && { retries: promptRetries }),
    };
    try {
      return await session.prompt({ content, subscriber, limits, failsIfLost: ifLost === 'fail', signal });
    } finally {
      await subscription.reached(session.head.sequence);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions?.[Symbol.asyncDispose]();
  }

  #commandSessions(mcpServers: Awaited<ReturnType<typeof mcpServersOf>>): CommandSessions {
    const { options, command, screen, tap, usedBy } = this.#parts;
    const { verbose } = options;
    return new CommandSessions({
      ...{ options, command, tap, noted: { usedBy } },
      rules: sessionRules(options.permission, {
        differences: () => command.differences,
        canAsk: screen.ask !== undefined,
        // Decisions are written until the command ends.
        ...(verbose && { warn: warn }),
      }),
      agent: {
        mcpServers,
        // A user at a terminal can run a login, though not through us: agents offer it, and we print the command.
        terminalLogin: isAtTerminal() ? (method) => sayTerminalLogin(method, command) : undefined,
        log: verbose ? verboseLog : undefined,
      },
      onProblem: warn,
    });
  }

  async #subscriber(): Promise<Subscriber> {
    const { options, screen } = this.#parts;
    const { ask, elicit } = screen;
    const answers = await answersOf(options.answers);
    return {
      author: { connection: 'command', client: 'turnwire' },
      role: 'control',
      isOwner: true,
      readsEvents: true,
      receive: (events) => {
        let printing: Promise<void> | undefined;
        for (const { event } of events) printing = this.#show(event) ?? printing;
        return printing;
      },
      askPermission: ask && (async (question, signal) => answerOf(question, await ask(question.view, signal))),
      elicitation: elicitationOf({ answers, elicit, remark: warn }),
    };
  }

  /** A returned promise means that our reader is slow. */
  #show(event: SessionEvent): Promise<void> | undefined {
    const { screen } = this.#parts;
    if (event.type !== 'update') return void showEvent(event, screen);
    return event.isReplay ? undefined : screen.update(event.update);
  }

  async #setModel(model: string): Promise<void> {
    const option = modelOption(this.configOptions);
    if (!option) throw new Error(`the agent offers no choice of models, so --model ${model} cannot be used with it`);
    if (option.currentValue !== model) await this.setOption(option.id, model);
  }
}

function isAtTerminal(): boolean {
  return process.stdin.isTTY && stderr.isTerminal;
}
