/**
 * Whether bytes are text in UTF-8. A NUL character makes them something else, as everybody has it.
 * @param cut whether more follows, so that they may end within a character
 */
export function isText(bytes: Uint8Array, cut: boolean): boolean {
  try {
    // A decoder that is told of more to come keeps the beginning of a character for later.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return !bytes.includes(0);
  } catch {
    return false;
  }
}
