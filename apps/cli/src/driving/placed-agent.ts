import type { Agent, AgentOptions } from '@turnwire/client';
import { launchAgent, type LaunchOptions } from '@turnwire/client/node';
import { type AgentPlace, mappedTransport, PlacePrefix } from '@turnwire/runtime/places';
import { TurnwireError } from '@turnwire/protocol';
/* oxlint-disable no-restricted-imports -- this file is imported on demand, for agents in a place */
import { v1Unstable } from '@turnwire/protocol/unstable';
import { v2Unstable } from '@turnwire/protocol/v2/unstable';
import { placedWords } from './placed-words.ts';

const editions = { 1: v1Unstable, 2: v2Unstable };

/** Starts an agent in its place, with its paths translated. Rejects if no path of the agent leads to the folder. */
export function launchPlaced(words: readonly string[], place: AgentPlace, options: LaunchOptions): Promise<Agent> {
  const { cwd = process.cwd(), through } = options;
  const { mapping } = new PlacePrefix(place, cwd);
  if (mapping.there(cwd) === undefined)
    throw new TurnwireError(
      'launch-failed',
      `The agent has no path for ${cwd} in its place: add it to "paths" of "place" in the entry of the agent, such as {"\${cwd}": "/code"}`,
    );
  return launchAgent(placedWords(words, place, cwd), {
    ...options,
    through: (transport) => mappedTransport(through?.(transport) ?? transport, mapping, editions),
  });
}

type Connect = NonNullable<AgentOptions['versions']>;

/** Makes connections with the paths of an agent in its place translated. */
export function placedVersions(connect: Connect, place: AgentPlace | undefined, cwd: string): Connect {
  if (!place) return connect;
  const { mapping } = new PlacePrefix(place, cwd);
  const placed: Connect = (transport, ...parts) => connect(mappedTransport(transport, mapping, editions), ...parts);
  return Object.assign(placed, connect);
}
