/** The input of a tool call, which the model wrote as JSON; nothing at all stands for an empty object. @throws SyntaxError */
export function parseInput(json: string): unknown {
  return JSON.parse(json.trim() === '' ? '{}' : json);
}
