import { setTimeout as delay } from 'node:timers/promises';
import type { Transport } from '@turnwire/protocol';
import { ConnectedAgent } from '../../agent/attach-agent.ts';
import type { AgentOptions, ProcessExit } from '../../agent/agent.ts';
import type { AgentProcess } from '../launch/agent-process.ts';
import { within } from '@turnwire/machine/waits';
import { denyAll } from '../../permission/permission-policy.ts';
import type { Session } from '../../session/session.ts';
import type { ExaminationTimeouts } from './examine-options.ts';
import { WireWatch } from './wire-watch.ts';

const poll = 25;
/** The timeout of each clean-up call, in milliseconds. */
const tidyTimeout = 5_000;

/** How the process of an agent exited once its stdin was closed. */
export interface Departure {
  /** It exited before its stdin was closed. */
  readonly isEarly: boolean;
  /** From the end of its stdin until it exited, or the wait ended. */
  readonly milliseconds: number;
  /** Absent: even SIGKILL did not end it. */
  readonly exit?: ProcessExit;
  readonly neededSignal: boolean;
  /** Processes that it started and did not end. They have been ended now. */
  readonly left: readonly number[];
}

/** An agent under examination: its process, its connection, and its behaviour. */
export class Subject {
  /** Absent: the agent runs on another machine. */
  readonly process: AgentProcess | undefined;
  readonly agent: ConnectedAgent;
  readonly watch: WireWatch = new WireWatch();
  readonly timeouts: ExaminationTimeouts;
  /** Number of permission requests, all denied. */
  denied = 0;
  /** How the process exited by itself; undefined while it runs. */
  exit: ProcessExit | undefined;
  readonly #sessions: Session[] = [];
  #departure: Promise<Departure | undefined> | undefined;

  constructor(
    { transport, process }: { readonly transport: Transport; readonly process?: AgentProcess },
    timeouts: ExaminationTimeouts,
    versions?: AgentOptions['versions'],
  ) {
    this.process = process;
    this.timeouts = timeouts;
    void process?.exited.then((exit) => (this.exit = exit));
    this.agent = new ConnectedAgent(
      transport,
      {
        permission: (request, context) => {
          this.denied++;
          return denyAll(request, context);
        },
        // Agents offer terminal logins only to clients that support them; the command is part of the advice.
        terminalLogin: () => Promise.resolve(false),
        timeouts: { ...timeouts, closeSession: tidyTimeout, deleteSession: tidyTimeout, cancel: tidyTimeout },
        versions,
        tap: this.watch.tap,
        onWarning: this.watch.onWarning,
        peer: { log: this.watch.log, limits: { cancel: poll } },
      },
      async () => {
        const { exit } = (await this.#depart()) ?? {};
        return { ...(exit && { exit }), ...(process && { stderr: process.stderr }) };
      },
    );
  }

  /** Creates a session that will be deleted from the agent's list again. */
  async newSession(options: Parameters<ConnectedAgent['newSession']>[0]): Promise<Session> {
    const session = await this.agent.newSession(options);
    this.#sessions.push(session);
    return session;
  }

  /** Ends everything. May be called again. Resolves with how the process exited, if there is one. */
  async end(): Promise<Departure | undefined> {
    const sessions = this.#sessions.splice(0);
    await Promise.all(sessions.map((session) => this.#forget(session)));
    await this.agent.close();
    return this.#depart();
  }

  /** Closes and deletes a session, which is of no further use. */
  async #forget({ id, close }: Session): Promise<void> {
    try {
      await close?.();
      await this.agent.deleteSession?.(id);
    } catch {
      // It may be dead or blocked: other findings report that.
    }
  }

  #depart(): Promise<Departure | undefined> {
    this.#departure ??= this.process ? this.#leave(this.process) : Promise.resolve(undefined);
    return this.#departure;
  }

  async #leave(process: AgentProcess): Promise<Departure> {
    const isEarly = this.exit !== undefined;
    // While it lives, its child processes can be found through their parents.
    process.look();
    const began = performance.now();
    const left = await within(this.timeouts.exit, process.exited);
    const milliseconds = Math.round(performance.now() - began);
    const remaining = left === undefined ? [] : await this.#remaining(process);
    const exit = await process.end(0);
    return { isEarly, milliseconds, ...(exit && { exit }), neededSignal: left === undefined, left: remaining };
  }

  /** Processes that still run some time after the agent exited. */
  async #remaining(process: AgentProcess): Promise<readonly number[]> {
    const deadline = performance.now() + this.timeouts.exit;
    let pids = process.look();
    while (pids.length > 0 && performance.now() < deadline) {
      await delay(poll);
      pids = process.look();
    }
    return pids;
  }
}
