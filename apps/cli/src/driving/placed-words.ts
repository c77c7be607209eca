import { type AgentPlace, PlacePrefix } from '@turnwire/runtime/places';

/** The words that start an agent in its place, for sessions in a folder. */
export function placedWords(words: readonly string[], place: AgentPlace | undefined, cwd: string): readonly string[] {
  return place ? new PlacePrefix(place, cwd).around(words) : words;
}
