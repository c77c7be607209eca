import { sheltered, withExactIntegers } from '@turnwire/machine';

/**
 * Parses the input of a tool call, which the model wrote as JSON; empty text stands for an empty object. Integers above 2^53 keep their value:
 * they may be the ids of rows. @throws SyntaxError
 */
export function parseInput(json: string): unknown {
  const text = json.trim() === '' ? '{}' : json;
  const safe = sheltered(text);
  return safe === text ? JSON.parse(text) : withExactIntegers(JSON.parse(safe));
}
