/**
 * Whether bytes are UTF-8 text. A NUL character makes them binary, as in other tools.
 * @param cut whether more bytes follow, so that these may end within a character
 */
export function isText(bytes: Uint8Array, cut: boolean): boolean {
  try {
    // With `stream` the decoder accepts an incomplete character at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return !bytes.includes(0);
  } catch {
    return false;
  }
}
