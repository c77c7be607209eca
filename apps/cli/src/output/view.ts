import type { SessionUpdate } from '@turnwire/protocol';
import type { ToolCallChange, ToolCallView } from './tool-calls.ts';

/** Shows a turn while it runs. */
export interface View {
  /** Shows an update. @param call the change of the tool call, if the update is about one */
  update(update: SessionUpdate, call: ToolCallChange | undefined): void;
  /** Shows the terminal output of a tool call. */
  output(call: ToolCallChange): void;
  /** Prepares the screen for a question. A question about a tool call shows the call's diff. */
  question(call?: ToolCallView): void;
  /** Ends the turn. @param unfinished the calls without a final status */
  end(unfinished: readonly ToolCallView[]): void;
}
