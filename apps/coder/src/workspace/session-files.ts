import type { TurnClient } from '@agentwire/agent';
import { readTextFile, replaceTextFile } from './text-file.ts';
import type { WorkspacePath } from './workspace.ts';

/** The text files of a session, through the client where it offers that, so that unsaved changes count; else on the disk. */
export class SessionFiles {
  /** Undefined when there is no such file. */
  async read(path: WorkspacePath, _client: TurnClient): Promise<string | undefined> {
    return readTextFile(path);
  }

  /**
   * Replaces a file whole.
   * @param change what the file must hold now, undefined for a file that must not exist, and what it shall hold
   * @throws ToolError when the file is no longer as expected: nothing is written then
   */
  async replace(
    path: WorkspacePath,
    change: { readonly expected: string | undefined; readonly text: string },
    _client: TurnClient,
  ): Promise<void> {
    return replaceTextFile(path, change.expected, change.text);
  }
}
