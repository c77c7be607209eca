import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { connectOnce } from '../own-command.ts';

/** The variable with the token for a remote agent. */
export const tokenVariable = 'TURNWIRE_TOKEN';

/** The variable with headers from a configuration for `turnwire connect`, one `Name: value` per line. */
export const headersVariable = 'TURNWIRE_HEADERS';

/** The variables that a connection to `--agent URL` inherits. A configured agent gets them only by --env or its file, because a project may name any URL. */
export const remoteVariables: readonly string[] = [tokenVariable, 'NODE_EXTRA_CA_CERTS'];

/** Whether an agent is named by its URL. */
export function isRemoteAgent([first = '']: readonly string[]): boolean {
  return /^(?:wss?|https?):\/\//i.test(first);
}

/** The words that start an agent. A URL with its options becomes a call of `turnwire connect`. Throws CommandError as {@link remoteUrl} does. */
export function startableWords(words: readonly string[]): readonly string[] {
  const [url = '', ...options] = words;
  if (!isRemoteAgent(words)) return words;
  remoteUrl(url, { insecure: options.includes('--insecure') });
  return [...connectOnce(), ...words];
}

/** The URL and its options, if the words start `turnwire connect`. */
export function connectedWords(words: readonly string[]): readonly string[] | undefined {
  const own = connectOnce();
  return own.every((word, index) => words[index] === word) ? words.slice(own.length) : undefined;
}

/** Parses the URL of a remote agent. Throws CommandError, exit code 2, if it is invalid, or would send secrets where others can read them. */
export function remoteUrl(text: string, { insecure = false }: { readonly insecure?: boolean | undefined }): URL {
  const url = URL.canParse(text) ? new URL(text) : new URL('none:');
  const { protocol, hostname } = url;
  if (!/^(?:ws|http)s?:$/.test(protocol))
    throw refused('the URL of a remote agent begins with wss:// or https://, such as wss://box.example/acp');
  const secret = secretIn(url);
  if (secret !== undefined) throw refused(`${secret}: ${elsewhere}`);
  if (/^(?:ws|http):$/.test(protocol) && !insecure && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
    throw refused(
      `${protocol}// to ${hostname} sends everything unencrypted over the network: use ${protocol.replace(':', 's')}://, or add --insecure behind the URL`,
    );
  return url;
}

function secretIn({ username, password, searchParams }: URL): string | undefined {
  if (username !== '' || password !== '') return 'the URL holds a user name or a password';
  const name = [...searchParams.keys()].find((key) => /token|key|secret|passw|auth|ticket|sign/i.test(key));
  return name === undefined ? undefined : `the query of the URL holds a secret, ${name}`;
}

const elsewhere = `URLs are written to logs. Set ${tokenVariable}, or add --header-file FILE behind the URL`;

function refused(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
