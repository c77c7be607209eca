/** Parses the input of a tool call, which the model wrote as JSON; empty text stands for an empty object. @throws SyntaxError */
export function parseInput(json: string): unknown {
  return JSON.parse(json.trim() === '' ? '{}' : json);
}
