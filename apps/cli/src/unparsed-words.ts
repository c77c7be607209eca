/** The value of `--cwd`, before the words are parsed. */
export function folderIn(words: readonly string[]): string | undefined {
  const place = words.findLastIndex((word) => word === '--cwd' || word.startsWith('--cwd='));
  if (place === -1) return undefined;
  return words[place] === '--cwd' ? words[place + 1] : words[place]?.slice('--cwd='.length);
}

/** Whether the user asks for help or for the version. */
export function isHelp(words: readonly string[]): boolean {
  return words.some((word) => /^(?:-h|--help|-V|--version|help)$/.test(word));
}
