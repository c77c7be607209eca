/** The value of a frame. Undefined if it is not JSON: the peer reports that. */
export function parsedFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
