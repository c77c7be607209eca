import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { TurnwireError } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import { keepKey } from '../auth/keep-key.ts';
import { keyProvider, keyProviders } from '../keys/key-providers.ts';
import type { KeyProvider } from '../keys/key-providers.ts';
import { printToStderr } from '../printing.ts';

/** A login in a terminal. */
export interface TerminalLogin {
  /** The provider's id. Absent: the user is asked. */
  readonly provider?: string | undefined;
  /** Read the key from standard input, for programs that have it. */
  readonly keyFromStdin?: boolean | undefined;
  readonly env?: Environment | undefined;
}

const longestKey = 8 * 1024;

/**
 * Asks for a provider and its key in the terminal of this process, without echo, and stores it. Prints the result to stderr.
 * @returns the exit code: 0 stored, 1 not stored, 2 wrong usage, 130 interrupted
 */
export async function logInAtTerminal({
  provider,
  keyFromStdin = false,
  env = process.env,
}: TerminalLogin): Promise<number> {
  try {
    const chosen = await chooseProvider(provider, keyFromStdin);
    const key = keyFromStdin ? await readStdin() : await askForKey(chosen);
    const outcome = await keepKey({ provider: chosen, key, env });
    printToStderr('kept' in outcome ? outcome.kept : outcome.refused);
    return 'kept' in outcome ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Ending) && !(error instanceof TurnwireError)) throw error;
    if (error.message !== '') printToStderr(error.message);
    return error instanceof Ending ? error.exitCode : 1;
  }
}

/** Ends the login with a message and an exit code. */
class Ending extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

async function chooseProvider(id: string | undefined, isPiped: boolean): Promise<KeyProvider> {
  const names = keyProviders.map((provider) => provider.id).join(', ');
  const known = id === undefined ? undefined : keyProvider(id);
  if (known) return known;
  if (id !== undefined) throw new Ending(`There is no login for ${JSON.stringify(id)}, only for ${names}.`, 2);
  if (isPiped) throw new Ending(`Name the provider the key is for: ${names}.`, 2);
  const [first] = keyProviders;
  if (!process.stdin.isTTY) throw noTerminal();
  printToStderr(keyProviders.map((provider, index) => `${index + 1}  ${provider.name}`).join('\n'));
  const answer = (await ask('Which provider? [1] ', true)).trim().toLowerCase();
  const chosen = answer === '' ? first : (keyProviders[Number(answer) - 1] ?? keyProvider(answer));
  if (!chosen) throw new Ending(`There is no provider ${JSON.stringify(answer)}; nothing was stored.`, 1);
  return chosen;
}

async function askForKey({ name, keysAt }: KeyProvider): Promise<string> {
  if (process.stdin.isTTY) printToStderr(`Create a key for ${name} at ${keysAt}`);
  const key = await ask(`${name} API key (not shown): `, false);
  if (key.trim() === '') throw new Ending('No key was entered; nothing was stored.', 1);
  return key;
}

/** Asks in the terminal, with or without echo; a secret is never written anywhere, including readline's history. */
function ask(question: string, isShown: boolean): Promise<string> {
  if (!process.stdin.isTTY) throw noTerminal();
  const output = isShown ? process.stderr : new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // Not earlier: until then the terminal itself echoes.
  if (!isShown) process.stderr.write(question);
  return new Promise((resolve, reject) => {
    let end = (): void => reject(new Ending('No answer was entered; nothing was stored.', 1));
    const endWith = (settle: () => void): void => {
      end = settle;
      lines.close();
    };
    lines.once('close', () => {
      if (!isShown) process.stderr.write('\n');
      end();
    });
    lines.once('SIGINT', () => endWith(() => reject(new Ending('', 130))));
    lines.question(isShown ? question : '', (answer) => endWith(() => resolve(answer)));
  });
}

function noTerminal(): Ending {
  const advice = 'Give the key on standard input: turnwire coder login PROVIDER --key-stdin';
  return new Ending(`There is no terminal to read the key from. ${advice}`, 2);
}

async function readStdin(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin as AsyncIterable<string>) {
    text += chunk;
    if (text.length > longestKey) throw new Ending('The input on stdin is not a key; nothing was stored.', 1);
  }
  if (text.trim() === '') throw new Ending('The input on stdin is empty; nothing was stored.', 1);
  return text;
}
