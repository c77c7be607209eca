import { realpathSync } from 'node:fs';
import { Option } from 'commander';
import { builtInAgentName } from './built-in-agent.ts';
import {
  absolutePath,
  amount,
  existingFolder,
  list,
  oneMore,
  placeIn,
  type WantedPlace,
  outputFormat,
  protocolIn,
  suppressed,
  secondsAboveZero,
  wholeNumber,
  zeroOrMore,
} from './option-values.ts';
import type { AgentProposal } from './config/agent-proposal.ts';
import type { Config } from './config/config.ts';
import { authPolicies, formats, permissionModes, places, withoutUser } from './config/config-values.ts';
import type { ReadConfig } from './config/read-config.ts';
import type { PermissionSettings } from './permission/permission-settings.ts';

/** The output format of a turn. */
export type Format = (typeof formats)[number];

/** The formats of a document, for commands that write one. */
type DocumentFormat = 'md' | 'html';

/** The command-line options of commands that drive an agent, before or after the command's name. */
export interface CommandLineOptions {
  /** The folder to work in: an absolute path. */
  readonly cwd: string;
  /** Where a new session works: in this folder, or in a place of its own. */
  readonly place?: WantedPlace;
  /** The mark of the new place that was made for the session, until the command ends. */
  readonly placeUse?: AsyncDisposable;
  /** Whether a new place gets the uncommitted changes of this folder. */
  readonly withChanges?: true;
  /** The agent's command line. */
  readonly agent?: string;
  /** The version of the protocol to ask for. */
  readonly protocol?: 1 | 2;
  /** Variables for the agent: `NAME` to pass on, `NAME=VALUE` to set. */
  readonly env: readonly string[];
  readonly addDir: readonly string[];
  readonly approveAll?: true;
  readonly approveReads?: true;
  readonly denyAll?: true;
  readonly nonInteractivePermissions?: Config['nonInteractivePermissions'];
  /** A file, or JSON. */
  readonly policy?: string;
  readonly permissionPolicy?: string;
  readonly permissionMode?: Config['permissionMode'];
  readonly allowedTools?: readonly string[];
  /** Seconds a whole turn may take. Absent: no limit. */
  readonly timeout?: number;
  readonly maxCost?: number;
  readonly maxTurns?: number;
  /** Attempts after the first. */
  readonly promptRetries?: number;
  readonly format?: Format | DocumentFormat;
  readonly jsonStrict?: true;
  readonly suppressReads?: true;
  readonly suppress?: readonly ('output' | 'diffs')[];
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly mcpConfig?: string;
  readonly answers?: string;
  readonly auth?: string;
  readonly authPolicy?: Config['authPolicy'];
  readonly fs: boolean;
  readonly terminal: boolean;
  /** Seconds. */
  readonly ttl?: number;
  readonly ifLost?: 'fail' | 'begin';
  readonly trace?: string;
  readonly verbose?: true;
  readonly plain?: true;
}

/** The command-line options, completed from the configuration. */
export interface GlobalOptions extends Omit<CommandLineOptions, 'format'> {
  /** The agent's name, unless `agent` has its command line. */
  readonly agentName: string;
  /** Whether the command line names an agent. */
  readonly isAgentNamed: boolean;
  readonly config: Config;
  /** Agents of the project that the user has not agreed to start. */
  readonly proposals: ReadonlyMap<string, AgentProposal>;
  /** The set-up command of the project's file. */
  readonly setUpProposal?: ReadConfig['setUpProposal'];
  readonly permission: PermissionSettings;
  readonly format: Format;
  readonly documentFormat?: DocumentFormat;
  readonly authPolicy: (typeof authPolicies)[number];
}

/** The global options, for the parser, in the order of the help page. */
export function globalOptions(): readonly Option[] {
  return Object.entries(optionGroups).flatMap(([group, options]) =>
    options().map((option) => option.helpGroup(`${group}:`)),
  );
}

/** The options by their heading on the help page. A parser changes its options, so each gets its own. */
const optionGroups: Readonly<Record<string, () => readonly Option[]>> = {
  'Options for the agent': () => [
    new Option('--cwd <dir>', 'work in this folder')
      // Resolve links, because sessions are found by their folder.
      .argParser((value) => realpathSync.native(existingFolder(value)))
      .default(process.cwd(), 'the current one'),
    new Option(
      '--place <kind[:name]>',
      'where a new session works: here, or in a worktree, clone or copy of the project (default: here)',
    )
      .choices(places)
      .argParser(placeIn),
    new Option('--with-changes', 'take uncommitted changes along to a new place'),
    new Option('--agent <command>', 'drive this agent: any command that speaks the Agent Client Protocol, or its URL'),
    new Option(
      '--protocol <version>',
      'speak this version of the protocol: 2, or 1 if the agent has only that (default: 1, or 2 if the agent has only that)',
    )
      .choices(['1', '2'])
      .argParser(protocolIn),
    new Option('--env <NAME[=VALUE]>', 'pass a variable to the agent, or set one; may be repeated')
      .argParser(oneMore)
      .default([], 'none'),
    new Option('--add-dir <dir>', 'also allow the agent to work in this folder; may be repeated')
      .argParser((value: string, previous: readonly string[]) => [...previous, existingFolder(value)])
      .default([], 'none'),
    new Option('--model <id>', 'use this model, by the agent’s id'),
    new Option('--system-prompt <text>', 'replace the agent’s instructions, if the agent supports it'),
    new Option('--append-system-prompt <text>', 'add to the agent’s instructions, if the agent supports it').conflicts(
      'systemPrompt',
    ),
    new Option('--mcp-config <path>', 'connect the agent to the MCP servers in this file, such as .mcp.json').argParser(
      absolutePath,
    ),
    new Option('--no-fs', 'do not offer files to the agent; it then uses its own'),
    new Option('--no-terminal', 'do not offer terminals to the agent; it then uses its own'),
    new Option('--auth <method>', 'log in with this method if the agent requires a login'),
    new Option('--auth-policy <policy>', 'if the agent requires a login: continue without it (skip), or fail').choices(
      authPolicies,
    ),
  ],
  'Options for permissions': () => [
    new Option('--approve-all', 'allow everything the agent asks for').conflicts(['denyAll', 'approveReads']),
    new Option('--approve-reads', 'allow reading and searching; ask about the rest').conflicts('denyAll'),
    new Option('--deny-all', 'refuse everything the agent asks for'),
    new Option(
      '--non-interactive-permissions <what>',
      'if there is no user to ask: deny the request, or fail the turn',
    ).choices(withoutUser),
    new Option('--policy <file>', 'permission rules, in a file or as JSON').conflicts('permissionPolicy'),
    new Option('--permission-policy <file>', 'the same as --policy').hideHelp(),
    new Option('--permission-mode <mode>', 'how much is allowed without asking').choices(permissionModes),
    new Option(
      '--allowed-tools <list>',
      'the only tools the agent may use, separated by commas; "" for none',
    ).argParser(list),
  ],
  'Options for limits and questions': () => [
    new Option('--timeout <seconds>', 'stop a turn that takes longer, and exit with code 3').argParser(
      secondsAboveZero,
    ),
    new Option('--max-cost <amount>', 'stop once the session has cost more, and exit with code 6').argParser(amount),
    new Option(
      '--max-turns <count>',
      'the maximum number of model calls in a turn, if the agent supports it',
    ).argParser(wholeNumber),
    new Option('--prompt-retries <count>', 'retry a turn that fails for a temporary reason').argParser(wholeNumber),
    new Option('--answers <file>', 'the answers to the agent’s questions, in a file or as JSON'),
    new Option(
      '--if-lost <what>',
      'if the agent cannot restore a session: fail, or begin a new one with a warning (default: begin)',
    ).choices(['fail', 'begin']),
    new Option(
      '--ttl <seconds>',
      'how long an idle session’s agent keeps running; 0 for no limit (default: 300)',
    ).argParser(zeroOrMore),
  ],
  'Options for the output': () => [
    new Option('--plain', 'print each line of a chat only once, for screen readers'),
    new Option(
      '--format <format>',
      'how to print a turn: json is the raw protocol stream, quiet the final message only (default: text)',
    )
      .choices(formats)
      .argParser(outputFormat),
    new Option('--json-strict', 'with --format json: print only JSON on stderr as well'),
    new Option(
      '--suppress <what>',
      'leave tool output or diffs out of the text: output, diffs, or both, separated by a comma',
    ).argParser(suppressed),
    new Option('--suppress-reads', 'leave out the contents of files that the agent reads'),
    new Option('--trace <file>', 'write every message in both directions to this file, without secrets').argParser(
      absolutePath,
    ),
    new Option('--verbose', 'log progress to stderr'),
  ],
};

/** The command-line options, completed from the configuration and the defaults. */
export function completed(
  parsed: CommandLineOptions,
  agentName: string | undefined,
  read: Pick<ReadConfig, 'config' | 'proposals' | 'setUpProposal'>,
): GlobalOptions {
  const { config, proposals } = read;
  const timeout = parsed.timeout ?? config.timeout;
  const ttl = parsed.ttl ?? config.ttl;
  return {
    ...parsed,
    config,
    proposals,
    ...placeOf(parsed, read),
    agentName: agentName ?? config.defaultAgent ?? builtInAgentName,
    isAgentNamed: (agentName ?? parsed.agent) !== undefined,
    permission: permissionSettings(parsed, config),
    ...formatIn(parsed, config),
    authPolicy: parsed.authPolicy ?? config.authPolicy ?? 'skip',
    ...(timeout !== undefined && timeout > 0 && { timeout }),
    ...(ttl !== undefined && { ttl }),
  };
}

function placeOf(
  { place }: CommandLineOptions,
  { config, setUpProposal }: Pick<ReadConfig, 'config' | 'setUpProposal'>,
): Pick<GlobalOptions, 'place' | 'setUpProposal'> {
  const wanted = place ?? (config.place && { kind: config.place });
  return { ...(wanted && { place: wanted }), ...(setUpProposal && { setUpProposal }) };
}

function formatIn(
  { format }: CommandLineOptions,
  { format: configured = 'text' }: Config,
): Pick<GlobalOptions, 'format' | 'documentFormat'> {
  if (format === 'md' || format === 'html') return { format: 'text', documentFormat: format };
  return { format: format ?? configured };
}

function permissionSettings(parsed: CommandLineOptions, config: Config): Omit<PermissionSettings, 'policy'> {
  const flags = [
    parsed.approveAll && ('approve-all' as const),
    parsed.denyAll && ('deny-all' as const),
    parsed.approveReads && ('approve-reads' as const),
  ];
  const flag = flags.find((each) => each !== undefined);
  const configured = withoutWidening(parsed, config);
  const mode = parsed.permissionMode ?? configured.permissionMode;
  return {
    base: flag ?? configured.permissions ?? 'ask',
    nonInteractive: parsed.nonInteractivePermissions ?? config.nonInteractivePermissions ?? 'deny',
    ...(mode !== undefined && { mode }),
    ...(parsed.allowedTools && { allowedTools: parsed.allowedTools.join(',') }),
  };
}

/** The configuration never widens permissions set on the command line, and its prohibitions still apply. */
function withoutWidening(parsed: CommandLineOptions, config: Config): Pick<Config, 'permissions' | 'permissionMode'> {
  const { permissions, permissionMode } = config;
  const { approveAll, approveReads, denyAll, policy, permissionPolicy, permissionMode: mode, allowedTools } = parsed;
  const explicit = [approveAll, approveReads, denyAll, policy, permissionPolicy, mode, allowedTools];
  if (explicit.every((each) => each === undefined)) return config;
  return {
    ...(permissions === 'deny-all' && { permissions }),
    ...(permissionMode === 'plan' && { permissionMode }),
  };
}
