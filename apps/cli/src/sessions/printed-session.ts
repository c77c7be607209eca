import type { FrameTap } from '@turnwire/client';
import { unlessAborted } from '@turnwire/machine/waits';
import { answerOf } from '@turnwire/permissions';
import {
  type AgentState,
  type ContentBlock,
  type LogEntry,
  type SessionConfigOption,
  TurnwireError,
} from '@turnwire/protocol';
import type { Session, Subscriber, Subscription, TurnEnd } from '@turnwire/runtime';
import type { AgentCommand } from '../driving/agent-command.ts';
import { elicitationOf } from '../driving/elicitation-of.ts';
import { answersOf } from '../driving/scripted-answers.ts';
import { mcpServersOf } from '../driving/session-setup.ts';
import { sayTerminalLogin } from '../driving/terminal-login.ts';
import { warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import { stderr } from '../terminal/output.ts';
import { CommandSessions } from './command-sessions.ts';
import type { RecentSessionWriterParts } from './recent-session-writer.ts';
import { chooseModel, type SessionPort } from './session-port.ts';
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
  readonly usedBy: RecentSessionWriterParts['usedBy'];
}

/** A session in the process of the command, with which it ends. Its turns are printed. */
export class PrintedSession implements SessionPort {
  readonly #parts: PrintedSessionParts;
  #sessions: CommandSessions | undefined;
  #session: Session | undefined;
  #subscriber: Subscriber | undefined;
  #subscription: Subscription | undefined;

  constructor(parts: PrintedSessionParts) {
    this.#parts = parts;
  }

  get agent(): AgentState['offers'] {
    return this.#session?.state.offers;
  }

  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.#session?.facts.configOptions ?? undefined;
  }

  /** Starts the agent, opens the session, and chooses the model of the options. */
  async open(signal: AbortSignal): Promise<void> {
    const { options, command, screen, tap, agentSessionId, usedBy } = this.#parts;
    const { mcpConfig, config, model, cwd, permission, verbose } = options;
    const mcpServers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
    const subscriber = await this.#makeSubscriber();
    // The built-in agent records the turn itself, once it changes something.
    const recording = command.isBuiltIn ? undefined : await import('./turn-recorder.ts');
    const isAtTerminal = process.stdin.isTTY && stderr.isTerminal;
    this.#sessions = new CommandSessions({
      ...{ options, command, tap, recent: { usedBy } },
      recorder: recording?.turnRecorder(config, { isForOneTurn: true }),
      rules: sessionRules(permission, {
        differences: () => command.differences,
        canAsk: screen.ask !== undefined,
        // Decisions are written until the command ends.
        ...(verbose && { warn: warn }),
      }),
      agent: {
        mcpServers,
        // The user can run a login at this terminal, but not through this command: the agent offers it, and the command to run is printed.
        terminalLogin: isAtTerminal ? (method) => sayTerminalLogin(method, command) : undefined,
        log: verbose ? verboseLog : undefined,
      },
      onProblem: warn,
    });
    const session = await this.#sessions.begin(agentSessionId);
    const { subscription } = await session.subscribe(subscriber, { after: session.head });
    this.#session = session;
    this.#subscriber = subscriber;
    this.#subscription = subscription;
    subscription.goLive();
    await unlessAborted(session.wake(), signal);
    await chooseModel(this, model);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    await this.#session?.agent.setConfigOption(id, value);
  }

  async prompt(content: readonly ContentBlock[], signal: AbortSignal): Promise<TurnEnd> {
    const [session, subscriber] = [this.#session, this.#subscriber];
    if (!session || !subscriber) throw new TurnwireError('connection-closed', 'The session is not open');
    const { maxCost, promptRetries, ifLost } = this.#parts.options;
    const limits = {
      ...(maxCost !== undefined && { cost: maxCost }),
      ...(promptRetries !== undefined && { retries: promptRetries }),
    };
    try {
      return await session.prompt({ content, subscriber, limits, failsIfLost: ifLost === 'fail', signal });
    } finally {
      await this.#subscription?.reached(session.head.sequence);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions?.[Symbol.asyncDispose]();
  }

  async #makeSubscriber(): Promise<Subscriber> {
    const { options, screen } = this.#parts;
    const { ask, elicit } = screen;
    const answers = await answersOf(options.answers);
    return {
      author: { connection: 'command', client: 'turnwire' },
      role: 'control',
      isOwner: true,
      readsEvents: true,
      receive: (events) => {
        // A promise means that the reader of the output is slow.
        let printing: Promise<void> | undefined;
        for (const { event } of events)
          if (event.type !== 'update') showEvent(event, screen);
          else if (!event.isReplay) printing = screen.update(event.update) ?? printing;
        return printing;
      },
      askPermission:
        ask &&
        (async (question, signal) => {
          const { choice, feedback } = (await ask(question.view, signal)) ?? {};
          return answerOf(question, choice, feedback);
        }),
      elicitation: elicitationOf({ answers, elicit, warn: warn }),
    };
  }
}

/** Logs messages on the wire to stderr: their metadata, but never their content. */
function verboseLog({ level, event, direction, method, id, size, detail }: LogEntry): void {
  const arrow = direction === 'in' ? '<' : direction === 'out' ? '>' : '-';
  const facts = [
    method,
    id === undefined ? undefined : `#${String(id)}`,
    size === undefined ? undefined : `${size} characters`,
    detail,
  ];
  warn([`${level} ${arrow} ${event}`, ...facts.filter((fact) => fact !== undefined)].join(' '));
}
