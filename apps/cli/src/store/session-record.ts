/** The version of the format. Records of other versions are ignored. */
export const recordSchema = 'turnwire.session.v1';

/** The agent of a session. */
export interface AgentChoice {
  /** Its name among the known and configured agents; absent for a command of `--agent`. */
  readonly name?: string;
  /** Its command line, if it has no name. */
  readonly command?: string;
}

/** The settings of a session, which are fixed at its creation. */
export interface SessionSettings {
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly allowedTools?: readonly string[];
  readonly maxTurns?: number;
  readonly additionalDirectories?: readonly string[];
  /** The file with the MCP servers. The servers themselves are not stored, because they may contain secrets. */
  readonly mcpConfig?: string;
  /** Names of the variables for the agent. Their values are not stored. */
  readonly env?: readonly string[];
  readonly withoutFiles?: true;
  readonly withoutTerminals?: true;
  /** The login method. */
  readonly auth?: string;
  /** The version of the protocol to ask for. */
  readonly protocol?: 1 | 2;
}

/** The stored facts of a session. Times are ISO 8601. */
export interface SessionRecord {
  readonly schema: typeof recordSchema;
  /** Our id. */
  readonly id: string;
  /** The agent's id; absent until the agent has created it. */
  readonly sessionId?: string;
  readonly agent: AgentChoice;
  readonly cwd: string;
  /** Absent: the session of the folder. */
  readonly name?: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly lastPromptAt?: string;
  readonly closedAt?: string;
  readonly settings: SessionSettings;
  /** The last mode and options that were set; restored after an agent restart. */
  readonly modeId?: string;
  readonly configOptions?: Readonly<Record<string, string | boolean>>;
  /** The last mode and model in use, as reported by the agent. */
  readonly inUse?: { readonly modeId?: string; readonly model?: string };
  readonly title?: string;
  /** The agent's info, and whether it can restore the session. */
  readonly agentInfo?: { readonly name: string; readonly version: string };
  readonly canLoad?: boolean;
  /** When the agent last lost the context; absent if it never did. */
  readonly contextLostAt?: string;
  /** Set for an imported session: it must be restored or fail, because a new session would not be the same. */
  readonly isImported?: true;
}

/** A key that is equal for sessions with the same agent. */
export function agentKey({ name, command }: AgentChoice): string {
  return name === undefined ? `command ${command ?? ''}` : `name ${name}`;
}

/** The agent's name or command, for users. */
export function agentTitle({ name, command }: AgentChoice): string {
  return name ?? command ?? '';
}

/** The reason why a value is not a valid record; undefined if it is one. */
export function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is not an object';
  const { schema, ...fields } = value as Record<string, unknown>;
  if (schema !== recordSchema) return `its schema is ${JSON.stringify(schema)}, and this version reads ${recordSchema}`;
  const texts = ['id', 'cwd', 'createdAt', 'lastUsedAt'].filter((key) => typeof fields[key] !== 'string');
  const objects = ['agent', 'settings'].filter((key) => typeof fields[key] !== 'object' || fields[key] === null);
  const missing = [...texts, ...objects];
  return missing.length > 0 ? `it lacks ${missing.join(', ')}` : undefined;
}
