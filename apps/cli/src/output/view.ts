import type { SessionUpdate } from '@turnwire/protocol';
import type { ToolCallChange, ToolCallView } from './tool-calls.ts';

/** Shows a turn while it runs. */
export interface View {
  /** Shows an update; `call` is what it did to a tool call, if it is about one. */
  update(update: SessionUpdate, call: ToolCallChange | undefined): void;
  /** A question is about to be shown on the same screen; if it is about a tool call, the call's diff with it. */
  question(call?: ToolCallView): void;
  /** The turn is over, and these calls with it. */
  end(unfinished: readonly ToolCallView[]): void;
}
