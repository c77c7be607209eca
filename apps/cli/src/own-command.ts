/** This same program, as it was started, with another command. */
export function ownCommand(word: string): readonly [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', word];
}
