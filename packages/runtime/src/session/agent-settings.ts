import type { TranscriptEvent } from '@turnwire/client/transcript';
import { TurnwireError } from '@turnwire/protocol';
import type { AgentStart } from '../agent/agent-start.ts';
import type { StoredRecord } from './stored-record.ts';

/** Where the settings are recorded. */
export interface AgentSettingsParts {
  readonly record: StoredRecord;
  readonly onEvent: (event: TranscriptEvent) => void;
}

/** The mode and the options of a session: users choose them, and each start of the agent applies them again. */
export class AgentSettings {
  readonly #parts: AgentSettingsParts;
  #modeId: string | undefined;
  #options: Map<string, string | boolean> | undefined;

  constructor(parts: AgentSettingsParts) {
    this.#parts = parts;
    this.#modeId = parts.record.facts.modeId;
  }

  async setMode(start: AgentStart, modeId: string): Promise<void> {
    if (!start.session?.modes) throw new TurnwireError('not-advertised', 'The agent has no modes');
    await start.session.modes.set(modeId);
    this.#modeId = modeId;
    this.record(start);
  }

  async setOption(start: AgentStart, id: string, value: string | boolean): Promise<void> {
    if (!start.session?.configOptions) throw new TurnwireError('not-advertised', 'The agent has no options');
    await start.session.configOptions.set(id, value);
    (this.#options ??= new Map()).set(id, value);
    this.record(start);
  }

  /** Applies the settings that differ. Resolves with a warning for each that the agent refused. */
  async apply({ session }: AgentStart): Promise<readonly string[]> {
    const { modes, configOptions } = session ?? {};
    const mode = this.#modeId;
    const warnings: string[] = [];
    const attempt = async (what: string, set: Promise<void> | undefined): Promise<void> => {
      const isSet = set && (await set.then(() => true).catch(() => false));
      if (!isSet) warnings.push(`The restarted agent did not accept ${what}.`);
    };
    if (mode !== undefined && modes?.current !== mode) await attempt(`the mode ${mode}`, modes?.set(mode));
    for (const [id, value] of this.#options ?? []) {
      const isSo = configOptions?.list.some((option) => option.id === id && option.currentValue === value);
      if (isSo !== true) await attempt(`${value} for the option ${id}`, configOptions?.set(id, value));
    }
    return warnings;
  }

  /** Records the agent and the current settings: not every agent sends an update about them. */
  record({ agent, session }: AgentStart): void {
    const { record, onEvent } = this.#parts;
    if (!session) return;
    const at = Date.now();
    const modes = session.modes && {
      currentModeId: session.modes.current,
      availableModes: [...session.modes.available],
    };
    const configOptions = session.configOptions?.list;
    record.note({
      ...{ agentSessionId: session.id, setUpAt: at, modes: modes ?? null, configOptions: configOptions ?? null },
      ...(agent && { canRestore: agent.loadSession !== undefined || agent.resumeSession !== undefined }),
      ...(agent?.info && { agentInfo: agent.info }),
    });
    onEvent({ at, type: 'setup', ...(modes && { modes }), ...(configOptions && { configOptions }) });
  }
}
