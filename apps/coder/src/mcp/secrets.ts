import { type McpServer, redactText } from '@turnwire/protocol';
import { isRemote } from './known-server.ts';

const shortest = 6;

/**
 * Removes the secrets of a server from texts: the values of its variables and headers, and the parts of its address besides host and path.
 * Values too short to be secrets stay, or ordinary words would be removed as well. Texts with the usual form of a secret are removed too.
 */
export function secretRemover(server: McpServer): (text: string) => string {
  const secrets = secretsOf(server)
    .filter((value) => value.length >= shortest)
    .toSorted((a, b) => b.length - a.length);
  return (text) => redactText(text, secrets);
}

function secretsOf(server: McpServer): readonly string[] {
  if (!isRemote(server)) return server.env.map(({ value }) => value);
  const values = server.headers.flatMap(({ value }) => [value, value.replace(/^\S+\s+/, '')]);
  return [...values, ...secretsOfAddress(server.url)];
}

function secretsOfAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  return [username, password, decoded(password), ...searchParams.values()].filter((value) => value !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
