import { setTimeout as delay } from 'node:timers/promises';
import { ConnectedAgent } from '../../agent/attach-agent.ts';
import type { ProcessExit } from '../../agent/agent.ts';
import type { AgentProcess } from '../launch/agent-process.ts';
import { processTransport } from '../launch/process-transport.ts';
import { within } from '@turnwire/machine/waits';
import { denyAll } from '../../permission/permission-policy.ts';
import type { Session } from '../../session/session.ts';
import type { ExaminationTimeouts } from './examine-options.ts';
import { WireWatch } from './wire-watch.ts';

const poll = 25;
/** For each clean-up call. */
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
  readonly process: AgentProcess;
  readonly agent: ConnectedAgent;
  readonly watch: WireWatch = new WireWatch();
  readonly timeouts: ExaminationTimeouts;
  /** Number of permission requests, all denied. */
  denied = 0;
  /** How the process exited by itself; undefined while it runs. */
  exit: ProcessExit | undefined;
  readonly #sessions: Session[] = [];
  #departure: Promise<Departure> | undefined;

  constructor(process: AgentProcess, timeouts: ExaminationTimeouts) {
    this.process = process;
    this.timeouts = timeouts;
    void process.exited.then((exit) => (this.exit = exit));
    this.agent = new ConnectedAgent(
      processTransport(process),
      {
        permission: (request, context) => {
          this.denied++;
          return denyAll(request, context);
        },
        // Agents offer terminal logins only to clients that support them; the command is part of the advice.
        terminalLogin: () => Promise.resolve(false),
        timeouts: { ...timeouts, closeSession: tidyTimeout, deleteSession: tidyTimeout, cancel: tidyTimeout },
        tap: this.watch.tap,
        onWarning: this.watch.onWarning,
        peer: { log: this.watch.log, limits: { cancel: poll } },
      },
      async () => {
        const { exit } = await this.#depart();
        return { ...(exit && { exit }), stderr: process.stderr };
      },
    );
  }

  /** Creates a session that will be deleted from the agent's list again. */
  async newSession(options: Parameters<ConnectedAgent['newSession']>[0]): Promise<Session> {
    const session = await this.agent.newSession(options);
    this.#sessions.push(session);
    return session;
  }

  /** Ends everything. May be called again. */
  async end(): Promise<Departure> {
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

  #depart(): Promise<Departure> {
    this.#departure ??= this.#leave();
    return this.#departure;
  }

  async #leave(): Promise<Departure> {
    const isEarly = this.exit !== undefined;
    // While it lives, its child processes are known by their parents.
    this.process.look();
    const began = performance.now();
    const left = await within(this.timeouts.exit, this.process.exited);
    const milliseconds = Math.round(performance.now() - began);
    const remaining = left === undefined ? [] : await this.#remaining();
    const exit = await this.process.end(0);
    return { isEarly, milliseconds, ...(exit && { exit }), neededSignal: left === undefined, left: remaining };
  }

  /** Processes that still run some time after the agent exited. */
  async #remaining(): Promise<readonly number[]> {
    const deadline = performance.now() + this.timeouts.exit;
    let pids = this.process.look();
    while (pids.length > 0 && performance.now() < deadline) {
      await delay(poll);
      pids = this.process.look();
    }
    return pids;
  }
}
