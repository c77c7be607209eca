import type { SessionMode, SessionModeState } from '@turnwire/protocol';
import { chosen } from './refused-choice.ts';

/** The modes of a session (protocol: Session Modes). Prefer configuration options if the session has both. */
export interface SessionModes {
  /** The id of the current mode. The agent may change it at any time. */
  readonly current: string;
  readonly available: readonly SessionMode[];
  /**
   * Sets the mode, even during a turn: with the option for modes, if it has this value. Rejects with TurnwireError `invalid-message` for an
   * unknown mode, `timeout` after `timeouts.set`, or with the agent's error.
   */
  set(modeId: string): Promise<void>;
}

/** The current modes, and how to change them. */
export function sessionModes(state: SessionModeState, send: (modeId: string) => Promise<void>): SessionModes {
  const { currentModeId: current, availableModes: available } = state;
  const set = async (modeId: string): Promise<void> => {
    await send(chosen('mode', modeId, available).id);
  };
  return { current, available, set };
}
