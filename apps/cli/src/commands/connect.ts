import { validateHeaderName, validateHeaderValue } from 'node:http';
import { readOwnFile } from '@turnwire/machine';
import { redactText, type Transport, TurnwireError } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { nodeFetch, proxyFor } from '@turnwire/transports/http/node';
import { serveStdio } from '@turnwire/transports/stdio';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, complain } from '../failure.ts';
import { Relay } from '../relay/relay.ts';
import { headersVariable, remoteUrl, tokenVariable } from '../driving/remote-agent.ts';

/** Which agent to connect to. */
export interface ConnectGiven {
  readonly headerFile?: string;
  readonly insecure?: true;
  /** Whether a connection that breaks is made again. */
  readonly reconnect: boolean;
}

type Headers = Readonly<Record<string, string>>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Is a remote agent on stdin and stdout: passes every frame on as it is, both ways, until one side leaves. Resolves with the exit code: 1 if the
 * connection failed, which says why on stderr.
 */
export async function connect(text: string, { headerFile, insecure, reconnect }: ConnectGiven): Promise<number> {
  try {
    const url = remoteUrl(text, { insecure });
    const headers = headersFrom(headerFile);
    // A server may quote what it was sent.
    const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
    const report = (message: string): void => complain(`${url.host}: ${redactText(message, secrets)}`);
    const open = (): Transport => remoteTransport(url, headers);
    return await new Relay({ local: serveStdio(), connect: open, reconnects: reconnect, report }).run();
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof TurnwireError)) throw error;
    complain(error.message);
    return exitCodes.usage;
  }
}

function remoteTransport(url: URL, headers: Headers): Transport {
  const proxy = proxyFor(url, process.env);
  return url.protocol.startsWith('ws')
    ? connectWebSocket(url, { headers, proxy })
    : connectHttp(url, { headers, fetch: nodeFetch({ proxy }) });
}

/** The token of the environment, the headers of a configuration, and those of a file. Throws CommandError without quoting one. */
export function headersFrom(path: string | undefined, env: Environment = process.env): Headers {
  const token = env[tokenVariable] ?? '';
  const own = [['authorization', `Bearer ${token}`] as const].filter(() => token !== '');
  if (!own.every((header) => isHeader(header))) throw usage(`the value of ${tokenVariable} cannot be sent as a header`);
  const configured = headersIn((env[headersVariable] ?? '').split('\n'), headersVariable);
  const given = path === undefined ? [] : headersIn(fileLines(path), path);
  return Object.fromEntries([...own, ...configured, ...given]);
}

/** Headers, one `Name: value` a line. */
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
