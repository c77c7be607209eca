import { TurnwireError, invalidParams } from '@turnwire/protocol';
import type { AvailableCommand, ClientCapabilities, McpServer } from '@turnwire/protocol';
import type { AgentDefinition } from '../definition.ts';
import type { SessionPublisher } from '../session/session-publisher.ts';
import { SessionSettings } from '../session/session-settings.ts';
import type { RestoredSession, Session, SessionSetup } from '../session/session.ts';

/** The parts of a session besides its set-up. */
export interface AgentSessionParts<Memory> {
  readonly memory: Memory;
  readonly definition: AgentDefinition<Memory>;
  readonly publisher: SessionPublisher;
  readonly title: string | null;
  readonly modeId?: string | undefined;
  readonly values?: ReadonlyMap<string, string | boolean> | undefined;
}

/** A session from the agent's side, and the changes its client makes. */
export class AgentSession<Memory> implements Session<Memory> {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly clientCapabilities: ClientCapabilities;
  declare readonly restored?: RestoredSession;
  readonly memory: Memory;
  readonly settings: SessionSettings;
  readonly #definition: AgentDefinition<Memory>;
  readonly #publisher: SessionPublisher;
  #title: string | null;

  constructor(setup: SessionSetup, parts: AgentSessionParts<Memory>) {
    this.id = setup.id;
    this.cwd = setup.cwd;
    this.additionalDirectories = setup.additionalDirectories;
    this.mcpServers = setup.mcpServers;
    this.clientCapabilities = setup.clientCapabilities;
    if (setup.restored) this.restored = setup.restored;
    this.memory = parts.memory;
    this.#definition = parts.definition;
    this.#publisher = parts.publisher;
    this.#title = parts.title;
    const { modes = [], configOptions = [] } = parts.definition;
    this.settings = new SessionSettings({
      modes,
      options: typeof configOptions === 'function' ? () => configOptions(this) : () => configOptions,
      takesBooleans: Boolean(setup.clientCapabilities.session?.configOptions?.boolean),
      modeId: parts.modeId,
      values: parts.values,
    });
  }

  get title(): string | undefined {
    return this.#title ?? undefined;
  }

  get modeId(): string | undefined {
    return this.settings.modeId;
  }

  option(id: string): string | boolean | undefined {
    return this.settings.value(id);
  }

  async setTitle(title: string | null): Promise<void> {
    if (title === this.#title) return;
    this.#title = title;
    void this.#publisher.record({ type: 'title', title });
    await this.#publisher.send({ sessionUpdate: 'session_info_update', title }, null);
  }

  async setMode(modeId: string): Promise<void> {
    if (this.settings.setMode(modeId) !== modeId) await this.#modeIs(modeId);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    if (this.settings.isMode(id)) return this.setMode(String(value));
    if (this.settings.setOption(id, value) === value) return;
    void this.#publisher.record({ type: 'option', id, value });
    await this.refreshOptions();
  }

  async refreshOptions(): Promise<void> {
    const { configOptions = [] } = this.settings;
    await this.#publisher.send({ sessionUpdate: 'config_option_update', configOptions }, null);
  }

  async offerCommands(availableCommands: readonly AvailableCommand[]): Promise<void> {
    await this.#publisher.send({ sessionUpdate: 'available_commands_update', availableCommands }, null);
  }

  async keep(value: unknown): Promise<void> {
    if (!isJson(value))
      throw new TurnwireError(
        'invalid-input',
        'Only JSON values can be stored: no functions, bigints or circular references',
      );
    await this.#publisher.record({ type: 'kept', value });
  }

  /** Applies a mode that the client sets. */
  async setModeForClient(modeId: string): Promise<void> {
    const before = this.modeId;
    try {
      this.settings.setMode(modeId);
    } catch (error) {
      throw error instanceof TurnwireError ? invalidParams(`modeId: ${error.message}`) : error;
    }
    if (before === modeId) return;
    try {
      await this.#definition.modeChanged?.(this);
    } catch (error) {
      if (before !== undefined && this.modeId === modeId) this.settings.setMode(before);
      throw error;
    }
    if (this.modeId === modeId) await this.#modeIs(modeId);
  }

  /** Applies an option that the client sets. */
  async setOptionForClient(id: string, value: string | boolean): Promise<void> {
    this.settings.admit(id, value);
    if (this.settings.isMode(id)) return this.setModeForClient(String(value));
    const before = this.settings.setOption(id, value);
    if (before === value) return;
    try {
      await this.#definition.optionChanged?.(this, id);
    } catch (error) {
      if (this.option(id) === value) this.settings.setOption(id, before);
      throw error;
    }
    if (this.option(id) === value) void this.#publisher.record({ type: 'option', id, value });
  }

  /** Sends the client the available commands. Must follow the answer that sets the session up: before it the client does not know the session. */
  async announceCommands(): Promise<void> {
    const commands = await this.commands();
    if (commands !== undefined) await this.offerCommands(commands);
  }

  /** The slash commands of the definition. Undefined if it has none. */
  async commands(): Promise<readonly AvailableCommand[] | undefined> {
    const { commands } = this.#definition;
    return typeof commands === 'function' ? commands(this) : commands;
  }

  async #modeIs(currentModeId: string): Promise<void> {
    void this.#publisher.record({ type: 'mode', modeId: currentModeId });
    await this.#publisher.send({ sessionUpdate: 'current_mode_update', currentModeId }, null);
    await this.refreshOptions();
  }
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
