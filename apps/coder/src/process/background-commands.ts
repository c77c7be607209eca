import { ToolError } from '../tool-error.ts';
import { BackgroundCommand } from './background-command.ts';
import type { StartedCommand } from './background-command.ts';
import { CommandLogs } from './command-logs.ts';

/** The most parallel background commands of a session. */
const most = 16;

/** The background commands of a session, and the logs of all its commands. They end with the session. */
export class BackgroundCommands {
  readonly logs: CommandLogs = new CommandLogs();
  readonly #commands = new Map<string, BackgroundCommand>();
  #count = 0;

  /** @throws ToolError if there are too many */
  start(command: StartedCommand): BackgroundCommand {
    const running = [...this.#commands.values()].filter(({ isRunning }) => isRunning);
    if (running.length >= most)
      throw new ToolError(
        `${most} commands run in the background, which is the limit: stop one first (${running.map(({ id }) => id).join(', ')}).`,
      );
    const id = `background-${++this.#count}`;
    const started = new BackgroundCommand(id, { ...command, log: this.logs.begin() });
    this.#commands.set(id, started);
    return started;
  }

  /** @throws ToolError for an unknown id */
  get(id: string): BackgroundCommand {
    const command = this.#commands.get(id);
    if (command !== undefined) return command;
    const known = [...this.#commands.keys()].join(', ');
    throw new ToolError(
      `There is no command ${id} in the background. ${known ? `There is: ${known}.` : 'There is none.'}`,
    );
  }

  /** Removes a command whose end was reported. */
  forget(id: string): void {
    this.#commands.delete(id);
  }

  /** Stops all commands with their processes, and removes the logs. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#commands.values()].map((command) => command.stop()));
    this.#commands.clear();
    await this.logs.clear();
  }
}
