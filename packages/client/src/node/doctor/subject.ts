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
/** For each call that tidies up. */
const tidyTimeout = 5_000;

/** How the process of an agent ended once its stdin was closed. */
export interface Departure {
  /** It was gone before anybody wanted it to leave. */
  readonly isEarly: boolean;
  /** From the end of its stdin until it was gone, or given up. */
  readonly milliseconds: number;
  /** Absent: not even SIGKILL ended it. */
  readonly exit?: ProcessExit;
  readonly neededSignal: boolean;
  /** What it had started and did not end. It is ended now. */
  readonly left: readonly number[];
}

/** An agent that is examined: its process, the connection to it, and what it does on the way. */
export class Subject {
  readonly process: AgentProcess;
  readonly agent: ConnectedAgent;
  readonly watch: WireWatch = new WireWatch();
  readonly timeouts: ExaminationTimeouts;
  /** How often it asked permission, and was denied it. */
  denied = 0;
  /** How the process ended by itself; undefined while it runs. */
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
        // Only who can run a login at a terminal is told of such logins; the way there is part of the advice.
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

  /** Makes a session that will be taken out of the agent's list again. */
  async newSession(options: Parameters<ConnectedAgent['newSession']>[0]): Promise<Session> {
    const session = await this.agent.newSession(options);
    this.#sessions.push(session);
    return session;
  }

  /** Ends it all. May be called again. */
  async end(): Promise<Departure> {
    const sessions = this.#sessions.splice(0);
    await Promise.all(sessions.map((session) => this.#forget(session)));
    await this.agent.close();
    return this.#depart();
  }

  /** What is left of an examination is of no use to anybody. */
  async #forget({ id, close }: Session): Promise<void> {
    try {
      await close?.();
      await this.agent.deleteSession?.(id);
    } catch {
      // It may be dead, or stuck: that is what the examination says, not this.
    }
  }

  #depart(): Promise<Departure> {
    this.#departure ??= this.#leave();
    return this.#departure;
  }

  async #leave(): Promise<Departure> {
    const isEarly = this.exit !== undefined;
    // While it lives, what it started can be told by its parents.
    this.process.look();
    const began = performance.now();
    const left = await within(this.timeouts.exit, this.process.exited);
    const milliseconds = Math.round(performance.now() - began);
    const remaining = left === undefined ? [] : await this.#remaining();
    const exit = await this.process.end(0);
    return { isEarly, milliseconds, ...(exit && { exit }), neededSignal: left === undefined, left: remaining };
  }

  /** What is still there some time after the agent left. */
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
