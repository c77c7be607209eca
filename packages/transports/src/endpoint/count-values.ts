const [quote, comma, bracket, brace, backslash] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];

/**
 * Limit of JSON values in a message that a server receives. Each costs memory and time when it is parsed; prompts with images have a few
 * dozen.
 */
export const maxValues: number = 250_000;

/** Whether the text of a JSON message holds more values than the limit. Counts the same characters in text that is not JSON. */
export function hasTooManyValues(text: string, most: number = maxValues): boolean {
  if (text.length <= most) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if ((character === comma || character === bracket || character === brace) && ++values > most) return true;
  }
  return false;
}

/** The index of the quote that ends the string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let end = start; ;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
}
