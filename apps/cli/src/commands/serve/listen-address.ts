import { isAbsolute, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';

/** The address of a server: a host and port, or a Unix socket. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | {
      /** The absolute path of the socket. */
      readonly path: string;
    };

/** Reads `HOST:PORT`, `[::1]:PORT`, `:PORT` or `unix:PATH`. */
export function listenAddress(value: string): ListenAddress {
  if (value.startsWith('unix:')) {
    const path = value.slice('unix:'.length);
    if (path === '') throw new InvalidArgumentError('Give the path of the socket after unix:.');
    return { path: isAbsolute(path) ? path : resolve(path) };
  }
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(value) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new InvalidArgumentError('Give HOST:PORT, such as 127.0.0.1:8137, or unix:PATH. Port 0 selects a free port.');
  return { host: host === '' ? '127.0.0.1' : host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
