import type { SessionUpdate } from '@turnwire/protocol';
import type { ToolCallChange, ToolCallView } from './tool-calls.ts';

/** Shows a turn while it runs. */
export interface View {
  /** Shows an update; `call` is the change of a tool call, if the update is about one. */
  update(update: SessionUpdate, call: ToolCallChange | undefined): void;
  /** Called before a question is shown on the same screen; a question about a tool call shows the call's diff. */
  question(call?: ToolCallView): void;
  /** Reports that the turn is over, with the calls it left unfinished. */
  end(unfinished: readonly ToolCallView[]): void;
}
