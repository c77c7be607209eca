import type {
  AvailableCommand,
  NewSessionResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  UsageUpdate,
} from '@turnwire/protocol';
import { type ConfigChoice, withChoice } from './session-config-options.ts';

/** The fields of a session in the agent's list. */
export interface SessionDetails {
  readonly title?: string;
  /** The time of the last change: ISO 8601. */
  readonly updatedAt?: string;
}

/** The state of a session as reported by its agent: at its set-up, in updates, and in answers. */
export class SessionState {
  modes: SessionModeState | undefined;
  configOptions: readonly SessionConfigOption[] | undefined;
  commands: readonly AvailableCommand[] = [];
  details: SessionDetails = {};
  usage: UsageUpdate | undefined;

  /** Applies the answer that set the session up. */
  begin({ modes, configOptions }: Partial<NewSessionResponse>): void {
    this.modes = modes ?? this.modes;
    this.configOptions = configOptions ?? this.configOptions;
  }

  note(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'current_mode_update':
        return this.changeMode(update.currentModeId);
      case 'config_option_update':
        this.configOptions = update.configOptions;
        return;
      case 'available_commands_update':
        this.commands = update.availableCommands;
        return;
      case 'session_info_update':
        this.details = patched(this.details, update);
        return;
      case 'usage_update':
        this.usage = update;
        return;
      default:
        return;
    }
  }

  changeMode(currentModeId: string): void {
    if (this.modes) this.modes = { ...this.modes, currentModeId };
  }

  /** Applies a new option value. The answer contains all options; some agents leave them out, in which case only this one has changed. */
  chosen(choice: ConfigChoice, answer: readonly SessionConfigOption[]): void {
    this.configOptions = answer.length > 0 ? answer : withChoice(this.configOptions ?? [], choice);
  }
}

type DetailsUpdate = Partial<Record<keyof SessionDetails, string | null | undefined>>;

/** Absent: unchanged. `null`: removed. */
function patched(details: SessionDetails, update: DetailsUpdate): SessionDetails {
  const { title = details.title, updatedAt = details.updatedAt } = update;
  return { ...(typeof title === 'string' && { title }), ...(typeof updatedAt === 'string' && { updatedAt }) };
}
