import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { resolve } from 'node:path';
import { readOwnFile } from '@turnwire/machine';
import { redactText, type Transport, TurnwireError } from '@turnwire/protocol';
import { connectHttp, proxyFor } from '@turnwire/transports/http/node';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { headersVariable, remoteUrl, tokenVariable } from './remote-agent.ts';

type Headers = Readonly<Record<string, string>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The address of an agent on another machine. */
export interface RemoteAgent {
  readonly url: URL;
  readonly headers: Headers;
  readonly proxy: URL | undefined;
  /** Further certificates of authorities besides those of this process, as PEM. */
  readonly ca: string | undefined;
}

/**
 * Reads a URL and its options: the address of the agent, and the headers for it. Throws CommandError, exit code 2, which never quotes a header.
 * @param words a URL, then options of `turnwire connect`
 * @param context `env`: the variables that the agent may have; `cwd`: the folder of relative paths in options
 */
export function remoteAgent(
  [text = '', ...options]: readonly string[],
  { env, cwd }: { readonly env: Environment; readonly cwd: string },
): RemoteAgent {
  const at = options.indexOf('--header-file');
  const path = at === -1 ? undefined : resolve(cwd, options[at + 1] ?? '');
  const url = remoteUrl(text, { insecure: options.includes('--insecure') });
  return { url, headers: headersFrom(path, env), proxy: proxyFor(url, process.env), ca: otherAuthorities(env) };
}

/** The variables of a remote agent: those that it inherits from this process, and its own. */
export function remoteEnvironment(inheritEnv: readonly string[] = [], own: Environment = {}): Environment {
  return { ...Object.fromEntries(inheritEnv.map((name) => [name, process.env[name]])), ...own };
}

/**
 * Opens a connection to an agent on another machine. The error at its end names the URL and contains no header, even if the server quotes one.
 * @param options `mayLeave`: whether the server may end the connection without an error. Default: false
 */
export function remoteTransport(
  agent: RemoteAgent,
  { mayLeave = false }: { readonly mayLeave?: boolean } = {},
): Transport {
  const { url, headers, proxy, ca } = agent;
  const transport = url.protocol.startsWith('ws')
    ? connectWebSocket(url, { headers, proxy, ca })
    : connectHttp(url, { headers, proxy, ca });
  let isClosing = mayLeave;
  const left = new TurnwireError('connection-closed', 'the server closed the connection');
  return {
    start: (receiver) =>
      transport.start({
        frame: (text, about) => receiver.frame(text, about),
        warning: (report) => receiver.warning(report),
        end: (reason = isClosing ? undefined : left) => receiver.end(reason && explained(reason, agent)),
      }),
    send: (frame, about) => transport.send(frame, about),
    close: () => {
      isClosing = true;
      return transport.close();
    },
    [Symbol.asyncDispose]: () => {
      isClosing = true;
      return transport[Symbol.asyncDispose]();
    },
  };
}

function explained(reason: Error, { url, headers }: RemoteAgent): TurnwireError {
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
  const code = reason instanceof TurnwireError ? reason.code : 'connection-closed';
  // On one line, so that text of a server does not look like a message of this program.
  const words = redactText(reason.message.replaceAll(/\s+/g, ' ').replace(/\.? ?$/, ''), secrets);
  return new TurnwireError(code, `${url.href}: ${words}${adviceFor(code, words, url)}`, { cause: reason });
}

function adviceFor(code: string, words: string, { hostname }: URL): string {
  if (code !== 'not-authorized') return '';
  if (words.includes('This Host is not accepted')) return `: turnwire serve --host-name ${hostname}`;
  if (words.includes('This Origin is not accepted')) return ': turnwire serve --origin URL';
  return `. Check ${tokenVariable}, the headers of its configuration, or --header-file`;
}

/** Reads the certificates of an agent's own variable. Node itself reads those of this process. */
function otherAuthorities({ NODE_EXTRA_CA_CERTS: path }: Environment): string | undefined {
  if (path === undefined || path === '' || path === process.env['NODE_EXTRA_CA_CERTS']) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usage(`the certificates of NODE_EXTRA_CA_CERTS cannot be read: ${(error as Error).message}`);
  }
}

/** Reads the token of the environment, the headers of a configuration, and those of a file. Throws CommandError, which never quotes one. */
function headersFrom(path: string | undefined, env: Environment): Headers {
  const token = env[tokenVariable] ?? '';
  const own = [['authorization', `Bearer ${token}`] as const].filter(() => token !== '');
  if (!own.every((header) => isHeader(header))) throw usage(`the value of ${tokenVariable} cannot be sent as a header`);
  const configured = headersIn((env[headersVariable] ?? '').split('\n'), headersVariable);
  const given = path === undefined ? [] : headersIn(fileLines(path), path);
  return Object.fromEntries([...own, ...configured, ...given]);
}

/** Parses headers, one `Name: value` per line. */
function headersIn(lines: readonly string[], where: string): readonly (readonly [string, string])[] {
  return lines.flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(line) ?? [];
    const header = [name.trim().toLowerCase(), value.trim()] as const;
    if (!isHeader(header)) throw usage(`${where}:${index + 1}: this is not a header; write NAME: VALUE`);
    return [header];
  });
}

function fileLines(path: string): readonly string[] {
  let text: string | undefined;
  try {
    text = readOwnFile(path);
  } catch (error) {
    throw usage((error as Error).message);
  }
  if (text === undefined) throw usage(`there is no file ${path} with headers`);
  return text.split(/\r?\n/);
}

function isHeader([name, value]: readonly [string, string]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
