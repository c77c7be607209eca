/** The value of `--cwd`, before the words are parsed. */
export function folderIn(words: readonly string[]): string | undefined {
  const index = words.findLastIndex((word) => word === '--cwd' || word.startsWith('--cwd='));
  if (index === -1) return undefined;
  return words[index] === '--cwd' ? words[index + 1] : words[index]?.slice('--cwd='.length);
}

/** Whether the user asks for help or for the version. */
export function isHelp(words: readonly string[]): boolean {
  return words.some((word) => /^(?:-h|--help|-V|--version|help)$/.test(word));
}
