/** Control and invisible characters. */
const unprintable = /[^\P{Cc}\n\t]|[\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Prints a line of a result. It may contain text of a model server, so control characters are removed. */
export function print(line: string): void {
  process.stdout.write(`${line.replace(unprintable, '')}\n`);
}

/** Prints a message to stderr, in the same way. */
export function printToStderr(line: string): void {
  process.stderr.write(`${line.replace(unprintable, '')}\n`);
}
