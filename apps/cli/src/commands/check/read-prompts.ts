import { type Action, defaultSteering, type Steering } from '@turnwire/conformance';
import { type PlacedValue, readJsonFile } from './read-json-file.ts';

/** The prompts of a file, over the defaults. Throws CommandError, exit code 2, that names the position of the error. */
export async function readPrompts(path: string): Promise<Steering> {
  return steeringIn(await readJsonFile(path));
}

/** The prompts of an object, over the defaults. */
export function steeringIn(root: PlacedValue): Steering {
  const chosen = root.members('the prompts').map(({ key, at, value }): [string, string | null] => {
    if (!Object.hasOwn(defaultSteering, key))
      return at.refuse(`there is no action "${key}", only ${Object.keys(defaultSteering).join(', ')}`);
    return [key, promptIn(key as Action, value)];
  });
  return { ...defaultSteering, ...Object.fromEntries(chosen) };
}

function promptIn(action: Action, placed: PlacedValue): string | null {
  const { value } = placed;
  if (value === null) return null;
  if (typeof value !== 'string')
    return placed.refuse(`"${action}" must be a string, or null for an action the agent cannot do`);
  const known = namesIn(defaultSteering[action] ?? '');
  const unknown = namesIn(value).find((each) => !known.includes(each));
  if (unknown === undefined) return value;
  return placed.refuse(`"${action}" has no {${unknown}}, only ${known.map((each) => `{${each}}`).join(', ')}`);
}

function namesIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
