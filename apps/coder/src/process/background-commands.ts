/** Commands of a session that go on while the conversation does. */
export class BackgroundCommands {
  /** Stops them all, with whatever they started. */
  async stopAll(): Promise<void> {}
}
