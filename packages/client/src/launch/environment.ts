/** Environment variables: name to value. */
export type Environment = Readonly<Record<string, string>>;

/**
 * What every agent inherits: enough to find programs, a home, a language, a proxy and certificates, and no secret.
 * A name that ends in `*` stands for all names that begin so.
 */
export const inheritedVariables: readonly string[] = [
  'PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM COLORTERM NO_COLOR TMPDIR TEMP TMP XDG_*',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'SystemRoot SystemDrive ComSpec PATHEXT windir APPDATA LOCALAPPDATA ProgramData ProgramFiles*',
  'USERNAME USERPROFILE HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE',
].flatMap((line) => line.split(' '));

/** Picks from `own` what one of the patterns names, then adds to it. Names are compared without case on Windows only. */
export function agentEnvironment(
  own: NodeJS.ProcessEnv,
  patterns: readonly string[],
  additions: Environment = {},
): Environment {
  const fold =
    process.platform === 'win32' ? (name: string): string => name.toLowerCase() : (name: string): string => name;
  const exact = new Set(patterns.map(fold));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => fold(pattern.slice(0, -1)));
  const isInherited = (name: string): boolean => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const inherited = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isInherited(fold(entry[0])),
  );
  return { ...Object.fromEntries(inherited), ...additions };
}
