import { isAbsolute, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';

/** Where a server listens: an address, or a Unix socket. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | {
      /** Absolute. */
      readonly path: string;
    };

/** Reads `HOST:PORT`, `[::1]:PORT`, `:PORT` or `unix:PATH`. */
export function listenAddress(value: string): ListenAddress {
  if (value.startsWith('unix:')) {
    const path = value.slice('unix:'.length);
    if (path === '') throw new InvalidArgumentError('Give the path of the socket behind unix:.');
    return { path: isAbsolute(path) ? path : resolve(path) };
  }
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(value) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new InvalidArgumentError('Give HOST:PORT, such as 127.0.0.1:8137, or unix:PATH. Port 0 takes a free one.');
  return { host: host === '' ? '127.0.0.1' : host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
