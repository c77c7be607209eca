/** This same program, as it was started, with another command. */
export function ownCommand(word: string): readonly [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', word];
}

/** The words before a URL that connect to an agent once: who starts them sees the end of the connection, and connects again itself. */
export function connectOnce(): readonly string[] {
  return [...ownCommand('connect'), '--no-reconnect'];
}
