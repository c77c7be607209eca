import { TurnwireError } from '@turnwire/protocol';
import { keyFile, readKeyFile, writeKeyFile } from './key-file.ts';
import type { Keys } from './key-file.ts';

const held = new Map<string, string>();

/** Uses a key until this process ends or the user logs out, without storing it: the client stores it. */
export function holdKey(provider: string, key: string): void {
  held.set(provider, key);
}

/** Removes keys that are only in memory: that of one provider, or all. @returns the providers */
export function dropHeldKeys(provider?: string): readonly string[] {
  const gone = [...held.keys()].filter((name) => provider === undefined || name === provider);
  for (const name of gone) held.delete(name);
  return gone;
}

/** The keys in memory, by provider. */
export function heldKeys(): Keys {
  return Object.fromEntries(held);
}

/**
 * The keys in memory or in the file, by provider (`anthropic`, `openai` …), without those of the environment.
 * @throws TurnwireError `invalid-input` if the key file cannot be read
 */
export async function readKeys(file: string = keyFile()): Promise<Keys> {
  return { ...(await readKeyFile(file)), ...heldKeys() };
}

/**
 * Stores a key, replacing the current one, without white space around it.
 * @returns the file
 * @throws TurnwireError `invalid-input` for a text that is not a key, and if the file cannot be read or written, which leaves it unchanged
 */
export async function saveKey(provider: string, key: string, file: string = keyFile()): Promise<string> {
  const bare = key.trim();
  if (!isKey(bare))
    throw new TurnwireError('invalid-input', 'That is not a key: a key is one word of printable characters.');
  await change(file, (keys) => ({ ...keys, [provider]: bare }));
  return file;
}

/** Deletes keys: that of one provider, or all. @returns the providers whose key is deleted */
export async function removeKeys(provider?: string, file: string = keyFile()): Promise<readonly string[]> {
  let gone: readonly string[] = [];
  await change(file, (keys) => {
    gone = Object.keys(keys).filter((name) => provider === undefined || name === provider);
    return Object.fromEntries(Object.entries(keys).filter(([name]) => !gone.includes(name)));
  });
  return gone;
}

/** Whether a header can carry the text. The limit is far above any real key. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(text);
}

let lastChange: Promise<unknown> = Promise.resolve();

/** Changes run in sequence, so that concurrent ones of this process do not overwrite each other. */
function change(file: string, edit: (keys: Keys) => Keys): Promise<void> {
  const work = lastChange.then(async () => {
    const keys = await readKeyFile(file);
    const changed = edit(keys);
    if (JSON.stringify(changed) !== JSON.stringify(keys)) await writeKeyFile(file, changed);
  });
  lastChange = work.catch(() => undefined);
  return work;
}
