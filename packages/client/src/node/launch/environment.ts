/** Environment variables: name to value. */
export type Environment = Readonly<Record<string, string>>;

/**
 * The variables every agent inherits: enough to find programs, a home, a language, a proxy and certificates, and no secrets. A trailing `*`
 * stands for all names with that prefix.
 */
export const inheritedVariables: readonly string[] = [
  'PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM COLORTERM NO_COLOR TMPDIR TEMP TMP XDG_*',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'SystemRoot SystemDrive ComSpec PATHEXT windir APPDATA LOCALAPPDATA ProgramData ProgramFiles*',
  'USERNAME USERPROFILE HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE',
].flatMap((line) => line.split(' '));

/** Further variables for programs in a terminal: to open a page, and to detect a remote connection. */
export const terminalVariables: readonly string[] = [
  'TERM_PROGRAM TERM_PROGRAM_VERSION TERMINFO TERMINFO_DIRS COLUMNS LINES',
  'BROWSER DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS',
  'SSH_CONNECTION SSH_CLIENT SSH_TTY WSL_DISTRO_NAME WSL_INTEROP WT_SESSION CODESPACES',
].flatMap((line) => line.split(' '));

/** Variables that make programs load code, start other programs, or read their settings elsewhere. */
const steeringVariables: readonly string[] = [
  'LD_* DYLD_* GLIBC_* GCONV_PATH MALLOC_*',
  'NODE_* npm_* PNPM_* YARN_* COREPACK_* BUN_* DENO_* ELECTRON_* TSX_* TS_NODE_*',
  'BASH_* BASHOPTS SHELLOPTS ENV ZDOTDIR FPATH PROMPT_COMMAND PS0 PS1 PS2 PS4 IFS CDPATH GLOBIGNORE',
  'PYTHON* VIRTUAL_ENV UV_* PIP_* PERL* RUBY* GEM_* BUNDLE_* PHP* LUA_* R_* TCL* JULIA_* GUILE_* ERL_* ELIXIR_*',
  'JAVA_* _JAVA_* JDK_* JVM_* CLASSPATH MAVEN_* GRADLE_* DOTNET_* CORECLR_* COR_* COMPLUS_* CARGO_* RUST*',
  'GOFLAGS GOROOT GOPATH GOENV GOPROXY GOTOOLCHAIN GODEBUG GOTOOLDIR GO111MODULE GONOSUMDB GOSUMDB GOINSECURE',
  'GIT_* EDITOR VISUAL PAGER MANPAGER LESS LESSOPEN LESSCLOSE OPENSSL_* SSL_* CURL_* REQUESTS_CA_BUNDLE',
  'DOCKER_* CONTAINER_* CONTAINERS_* KUBE* SSH_* GTK_* QT_* GIO_* DBUS_* TURNWIRE_*',
].flatMap((line) => line.split(' '));

/**
 * Whether an agent may set a variable. It may add its own; it must not change what the machine and its user have set for all programs, nor
 * make a program run other code.
 */
export function mayBeSetByAgent(name: string): boolean {
  // A name with `=` in it would set another variable.
  return /^[a-z_][\w.-]*$/iu.test(name) && !isProtected(name);
}

const isProtected = namesMatching([...inheritedVariables, ...terminalVariables, ...steeringVariables], (name) =>
  name.toLowerCase(),
);

/** Selects the variables of `own` that match a pattern, then adds to them. Names are compared without case on Windows only. */
export function agentEnvironment(
  own: NodeJS.ProcessEnv,
  patterns: readonly string[],
  additions: Environment = {},
): Environment {
  const fold =
    process.platform === 'win32' ? (name: string): string => name.toLowerCase() : (name: string): string => name;
  const isInherited = namesMatching(patterns, fold);
  const inherited = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isInherited(entry[0]),
  );
  return { ...Object.fromEntries(inherited), ...additions };
}

function namesMatching(patterns: readonly string[], fold: (name: string) => string): (name: string) => boolean {
  const exact = new Set(patterns.map(fold));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => fold(pattern.slice(0, -1)));
  return (name) => exact.has(fold(name)) || prefixes.some((prefix) => fold(name).startsWith(prefix));
}
