import type { GlobalOptions } from '../options.ts';

/** Our environment with the `--env NAME=VALUE` options applied, for a program that runs as if started by hand. */
export function environmentWith({ env }: Pick<GlobalOptions, 'env'>): Readonly<Record<string, string | undefined>> {
  const set = env.filter((entry) => entry.includes('=')).map((entry) => entry.split(/=(.*)/s, 2) as [string, string]);
  return { ...process.env, ...Object.fromEntries(set) };
}
