import type { SessionUpdate } from '@turnwire/protocol';
import type { ToolCallChange, ToolCallView } from './tool-calls.ts';

/** Shows a turn while it runs. */
export interface View {
  /** Shows an update; `call` is the change of a tool call, if the update is about one. */
  update(update: SessionUpdate, call: ToolCallChange | undefined): void;
  /** Shows what a tool call printed in a terminal. */
  output(call: ToolCallChange): void;
  /** Called before a question is shown on the same screen; a question about a tool call shows the call's diff. */
  question(call?: ToolCallView): void;
  /** Reports that the turn is over, with the calls it left unfinished. */
  end(unfinished: readonly ToolCallView[]): void;
}
