/** What steers a terminal, and what shows nothing. */
const unprintable = /[^\P{Cc}\n\t]|[\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Prints a line of what was asked for. What a server of models said may be in it, so nothing in it steers the terminal. */
export function print(line: string): void {
  process.stdout.write(`${line.replace(unprintable, '')}\n`);
}

/** Says something on stderr, in the same way. */
export function tell(line: string): void {
  process.stderr.write(`${line.replace(unprintable, '')}\n`);
}
