import { TurnwireError } from '@turnwire/protocol';
import { keyFile, readKeyFile, writeKeyFile } from './key-file.ts';
import type { Keys } from './key-file.ts';

const held = new Map<string, string>();

/** Uses a key until this process ends or somebody logs out, and writes it nowhere: its client keeps it. */
export function holdKey(provider: string, key: string): void {
  held.set(provider, key);
}

/** Forgets keys that were only held: that of one provider, or all of them. @returns the providers */
export function dropHeldKeys(provider?: string): readonly string[] {
  const gone = [...held.keys()].filter((name) => provider === undefined || name === provider);
  for (const name of gone) held.delete(name);
  return gone;
}

/** The keys that are only held, by provider. */
export function heldKeys(): Keys {
  return Object.fromEntries(held);
}

/**
 * The keys held or stored, by provider (`anthropic`, `openai` …). The environment is not looked at.
 * @throws TurnwireError `invalid-input` when the file of keys cannot be read or understood
 */
export async function readKeys(file: string = keyFile()): Promise<Keys> {
  return { ...(await readKeyFile(file)), ...heldKeys() };
}

/**
 * Keeps a key, in place of the one there was. White space around it is dropped.
 * @returns the file it is in now
 * @throws TurnwireError `invalid-input` for what can be no key, and when the file cannot be understood or written: it is left as it is then
 */
export async function saveKey(provider: string, key: string, file: string = keyFile()): Promise<string> {
  const bare = key.trim();
  if (!isKey(bare))
    throw new TurnwireError('invalid-input', 'That is no key: a key is one word of printable characters.');
  await change(file, (keys) => ({ ...keys, [provider]: bare }));
  return file;
}

/** Forgets keys: that of one provider, or all of them. @returns the providers whose key is gone */
export async function removeKeys(provider?: string, file: string = keyFile()): Promise<readonly string[]> {
  let gone: readonly string[] = [];
  await change(file, (keys) => {
    gone = Object.keys(keys).filter((name) => provider === undefined || name === provider);
    return Object.fromEntries(Object.entries(keys).filter(([name]) => !gone.includes(name)));
  });
  return gone;
}

/** True for what a header can carry. The limit is far above any key there is. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(text);
}

let lastChange: Promise<unknown> = Promise.resolve();

/** One change after the other, so that none undoes another of this process. */
function change(file: string, edit: (keys: Keys) => Keys): Promise<void> {
  const work = lastChange.then(async () => {
    const keys = await readKeyFile(file);
    const changed = edit(keys);
    if (JSON.stringify(changed) !== JSON.stringify(keys)) await writeKeyFile(file, changed);
  });
  lastChange = work.catch(() => undefined);
  return work;
}
