/** What the files of a session were before its turns changed them, so that a turn can be taken back. */
export class Checkpoints {
  /** A turn begins: what is noted from now on belongs to it. */
  begin(): void {}

  /**
   * To be awaited before a tool changes, makes, moves or deletes what is at a path: notes what is there now, unless this turn has
   * done so already.
   * @param path absolute, links resolved
   */
  async note(_path: string): Promise<void> {}
}
