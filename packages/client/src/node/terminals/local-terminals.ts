import {
  asideKey,
  type CreateTerminalRequest,
  type CreateTerminalResponse,
  invalidParams,
  type KillTerminalRequest,
  type KillTerminalResponse,
  type ReleaseTerminalRequest,
  type ReleaseTerminalResponse,
  requestCancelled,
  resourceNotFound,
  type TerminalOutputRequest,
  type TerminalOutputResponse,
  type WaitForTerminalExitRequest,
  type WaitForTerminalExitResponse,
} from '@turnwire/protocol';
import {
  commandShell,
  type CommandShell,
  programContext,
  realPath,
  shellAt,
  type Started,
  startTree,
} from '@turnwire/machine';
import { agentEnvironment, type Environment, inheritedVariables } from '../launch/environment.ts';
import type { HostContext, HostTerminals, TerminalSnapshot } from '../../host/host.ts';
import { SnapshotFeed } from './snapshot-feed.ts';
import { type RunningCommand, runningHere, runningProcess, type TerminalChild } from './running-command.ts';
import { Terminal } from './terminal.ts';
import { type TerminalCommand, terminalCommand } from './terminal-command.ts';
import { terminalFolder } from './terminal-folder.ts';

/** Options of terminals. All have defaults. */
export interface LocalTerminalsOptions {
  /**
   * Path of the shell that runs command lines, called with `-c`. Default: Bash if there is one, else `/bin/sh`; on Windows always
   * `cmd.exe`.
   */
  readonly shell?: string | undefined;
  /** Names of variables that commands inherit besides {@link inheritedVariables}; `NAME*` stands for all with that prefix. */
  readonly inheritEnv?: readonly string[] | undefined;
  /** Bytes of output stored when the agent requests no limit. Default 1 MiB. */
  readonly defaultByteLimit?: number | undefined;
  /** The maximum number of bytes of output stored, whatever limit the agent requests. Default 4 MiB. */
  readonly maximumByteLimit?: number | undefined;
  /** The maximum number of unreleased terminals of a session. Default 64. */
  readonly maximumPerSession?: number | undefined;
  /**
   * Supports the `timeout` in milliseconds that one dialect adds to `terminal/wait_for_exit`. When it expires, the answer has the output so
   * far and neither exit code nor signal, and the command continues. Default false: a wait ends with the command.
   */
  readonly waitTimeout?: boolean | undefined;
}

const mebibyte = 1024 * 1024;

/**
 * Terminals on this machine: all of `terminal/*`.
 *
 * A command with arguments, or one that is the name of a program, is started directly; any other with spaces or shell syntax is run by the
 * shell. It starts in a folder of the session, without input, with the harmless part of our environment and the agent's variables, and
 * leads its own process tree. stdout and stderr form one stream of whole characters, whose end is stored. A wait ends soon after the
 * command, even if one of its processes still holds its output. Killing and releasing end the whole tree: SIGTERM, 1 s later SIGKILL. It
 * also ends with this process, however that ends.
 *
 * Answers with ProtocolError -32602 for a folder outside of the session, a command that cannot be started and one terminal too many; -32002
 * for a terminal that was released or never existed; -32800 for a cancelled wait.
 */
export function localTerminals(options: LocalTerminalsOptions = {}): HostTerminals {
  return new LocalTerminals(options);
}

class LocalTerminals implements HostTerminals {
  readonly realPath = realPath;
  readonly #inherited: readonly string[];
  readonly #defaultByteLimit: number;
  readonly #maximumByteLimit: number;
  readonly #maximumPerSession: number;
  readonly #waitTimeout: boolean;
  readonly #shellPath: string | undefined;
  #shell: CommandShell | undefined;
  #terminals: Map<string, Terminal> | undefined;
  readonly #feed = new SnapshotFeed();

  constructor(options: LocalTerminalsOptions) {
    const { shell, inheritEnv } = options;
    this.#shellPath = process.platform === 'win32' ? undefined : shell;
    this.#inherited = inheritEnv === undefined ? inheritedVariables : [...inheritedVariables, ...inheritEnv];
    this.#defaultByteLimit = options.defaultByteLimit ?? mebibyte;
    this.#maximumByteLimit = options.maximumByteLimit ?? 4 * mebibyte;
    this.#maximumPerSession = options.maximumPerSession ?? 64;
    this.#waitTimeout = options.waitTimeout ?? false;
  }

  get shell(): CommandShell {
    // Found with the first command: most agents run commands themselves.
    return (this.#shell ??= this.#shellPath === undefined ? commandShell() : shellAt(this.#shellPath));
  }

  admit({ cwd }: CreateTerminalRequest, context: HostContext): void {
    terminalFolder(cwd, context);
  }

  async create(request: CreateTerminalRequest, context: HostContext): Promise<CreateTerminalResponse> {
    if (context.signal.aborted) throw requestCancelled();
    this.#refuseOneTooMany(request.sessionId);
    const cwd = terminalFolder(request.cwd, context);
    const env = this.#environment(request);
    const command = terminalCommand(request, programContext(cwd, env), this.shell.path);
    if (context.run) return { terminalId: this.#keep(request, command, runningHere(context.run)) };
    const started = start(command, { cwd, env });
    // Synchronous between the start and this line, so that releasing a session never misses a terminal.
    const running = runningProcess(started instanceof Promise ? await started : started);
    return { terminalId: this.#keep(request, command, running) };
  }

  output(request: TerminalOutputRequest): TerminalOutputResponse {
    const { output, truncated, exitStatus } = this.#terminal(request).snapshot();
    return { output, truncated, ...(exitStatus && { exitStatus }) };
  }

  async waitForExit(
    request: WaitForTerminalExitRequest,
    { signal }: HostContext,
  ): Promise<WaitForTerminalExitResponse> {
    const terminal = this.#terminal(request);
    const limit = this.#waitTimeout ? timeoutOf(request) : undefined;
    return (await terminal.exit(signal, limit)) ?? stillRunning(terminal);
  }

  async kill(request: KillTerminalRequest): Promise<KillTerminalResponse> {
    await this.#terminal(request).kill();
    return {};
  }

  async release(request: ReleaseTerminalRequest): Promise<ReleaseTerminalResponse> {
    await this.#release(this.#terminal(request));
    return {};
  }

  watch(listener: (snapshot: TerminalSnapshot) => void): () => void {
    return this.#feed.watch(listener);
  }

  async releaseAll(sessionId?: string): Promise<void> {
    await Promise.all(this.#of(sessionId).map((terminal) => this.#release(terminal)));
  }

  #keep(
    { sessionId, outputByteLimit }: CreateTerminalRequest,
    { line }: TerminalCommand,
    running: RunningCommand,
  ): string {
    const limit = Math.min(outputByteLimit ?? this.#defaultByteLimit, this.#maximumByteLimit);
    const terminal = new Terminal({ command: running, sessionId, line, limit, feed: this.#feed });
    (this.#terminals ??= new Map()).set(terminal.id, terminal);
    return terminal.id;
  }

  #release(terminal: Terminal): Promise<void> {
    // At once: the id is invalid from the request on.
    this.#terminals?.delete(terminal.id);
    return terminal.release();
  }

  #environment({ env = [] }: CreateTerminalRequest): Environment {
    const bad = env.find(({ name, value }) => name === '' || /[=\0]/.test(name) || value.includes('\0'));
    if (bad)
      throw invalidParams(
        `"${bad.name}" cannot be set: the name of a variable must not contain "=", and its value no NUL character`,
      );
    return agentEnvironment(
      process.env,
      this.#inherited,
      Object.fromEntries(env.map(({ name, value }) => [name, value])),
    );
  }

  #refuseOneTooMany(sessionId: string): void {
    const most = this.#maximumPerSession;
    if (this.#of(sessionId).length < most) return;
    throw invalidParams(`This session has ${most} terminals, the maximum. Release some with terminal/release`);
  }

  #of(sessionId: string | undefined): readonly Terminal[] {
    return [...(this.#terminals?.values() ?? [])].filter(
      (terminal) => sessionId === undefined || terminal.sessionId === sessionId,
    );
  }

  #terminal({ sessionId, terminalId }: { readonly sessionId: string; readonly terminalId: string }): Terminal {
    const terminal = this.#terminals?.get(terminalId);
    if (terminal?.sessionId === sessionId) return terminal;
    throw resourceNotFound(`This session has no terminal ${terminalId}: it was released, or never created`, {
      terminalId,
    });
  }
}

type TerminalStart = Started<TerminalChild>;

function start(
  { rule }: TerminalCommand,
  context: { readonly cwd: string; readonly env: Environment },
): TerminalStart | Promise<TerminalStart> {
  try {
    const started = startTree<TerminalChild>(rule, context, ['ignore', 'pipe', 'pipe']);
    return started instanceof Promise ? started.catch((cause: unknown) => refuse(cause)) : started;
  } catch (cause) {
    return refuse(cause);
  }
}

function refuse(cause: unknown): never {
  throw invalidParams(`The command could not be started: ${cause instanceof Error ? cause.message : String(cause)}`);
}

/** The timeout of a wait, where a dialect stores it or where its agents send it. */
function timeoutOf({ _meta, ...request }: WaitForTerminalExitRequest): number | undefined {
  const aside = _meta?.[asideKey] as { readonly timeout?: unknown } | undefined;
  const timeout = aside?.timeout ?? (request as { readonly timeout?: unknown }).timeout;
  return typeof timeout === 'number' && timeout >= 0 ? timeout : undefined;
}

/** The answer for a command that still runs, in the format of the dialect with timeouts. */
function stillRunning(terminal: Terminal): WaitForTerminalExitResponse {
  const { output } = terminal.snapshot();
  const answer = { exitCode: null, signal: null, output };
  return answer;
}
