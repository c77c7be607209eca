import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataFolder, isMissing, replaceFile } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import { printToStderr } from '../printing.ts';

/** Keys by provider. */
export type Keys = Readonly<Record<string, string>>;

/** The key file: `turnwire/coder/keys.json` in `XDG_DATA_HOME`, which defaults to `~/.local/share`. */
export function keyFile(env: Environment = process.env): string {
  return join(dataFolder(env), 'coder', 'keys.json');
}

/** Reads all keys; an empty object without a file. @throws TurnwireError `invalid-input` for a file that cannot be read or protected */
export async function readKeyFile(file: string): Promise<Keys> {
  await keepToOwner(file);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return {};
    throw unusable(file, `cannot be read: ${reasonOf(error)}`);
  }
  return parse(file, text);
}

/** Replaces the file atomically. Only its owner may read it. */
export async function writeKeyFile(file: string, keys: Keys): Promise<void> {
  const target = await realpath(file).catch(() => file);
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // Another user with access to the folder could replace our file.
    await chmod(dirname(target), 0o700).catch(() => undefined);
    await replaceFile(target, `${JSON.stringify(keys, undefined, 2)}\n`);
  } catch (error) {
    throw unusable(file, `cannot be written: ${reasonOf(error)}`);
  }
}

/** Removes the permissions of other users. Windows has no permission bits; there the user's folder is protected as a whole. */
async function keepToOwner(file: string): Promise<void> {
  const mode = (await stat(file).catch(() => undefined))?.mode;
  if (mode === undefined || process.platform === 'win32' || (mode & 0o077) === 0) return;
  try {
    await chmod(file, 0o600);
  } catch (error) {
    throw unusable(
      file,
      `can be read by others, and that cannot be changed: ${reasonOf(error)}. Run: chmod 600 ${file}`,
    );
  }
  printToStderr(
    `The file of keys ${file} could be read by others (mode ${(mode & 0o777).toString(8)}). Only you can read it now; if others use this machine, replace the keys in it.`,
  );
}

function parse(file: string, text: string): Keys {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which holds keys.
    throw unusable(file, 'is not valid JSON');
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.values(value as object).every((key) => typeof key === 'string')) return value as Keys;
  throw unusable(file, 'is not an object of providers and keys');
}

function unusable(file: string, what: string): TurnwireError {
  return new TurnwireError(
    'invalid-input',
    `The file of keys ${file} ${what}. Nothing was changed: repair it, or move it away and log in again.`,
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
