/** The version of the format. A record of another version is not touched. */
export const recordSchema = 'turnwire.session.v1';

/** The agent a session is with. */
export interface AgentChoice {
  /** Its name among the known and the configured agents; absent for a command given on the command line. */
  readonly name?: string;
  /** Its command line, for one that has no name. */
  readonly command?: string;
}

/** The settings of a session. Fixed once it exists. */
export interface SessionSettings {
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly allowedTools?: readonly string[];
  readonly maxTurns?: number;
  readonly additionalDirectories?: readonly string[];
  /** The file MCP servers are read from. Not the servers: they may hold secrets. */
  readonly mcpConfig?: string;
  /** Names of the variables the agent gets. Their values are not stored. */
  readonly env?: readonly string[];
  readonly withoutFiles?: true;
  readonly withoutTerminals?: true;
  /** The login method. */
  readonly auth?: string;
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
  /** The mode and the options that were last set: restored when the agent is restarted. */
  readonly modeId?: string;
  readonly configOptions?: Readonly<Record<string, string | boolean>>;
  /** The mode and the model that were in use last, as the agent reported them. */
  readonly inUse?: { readonly modeId?: string; readonly model?: string };
  readonly title?: string;
  /** The agent's info, and whether it can restore the session. */
  readonly agentInfo?: { readonly name: string; readonly version: string };
  readonly canLoad?: boolean;
  /** When the agent last lost the context; absent if it never did. */
  readonly contextLostAt?: string;
  /** It must be restored or fail: it came from another machine, and a new one would not be the same. */
  readonly isImported?: true;
}

/** The key of an agent: sessions with the same key are with the same agent. */
export function agentKey({ name, command }: AgentChoice): string {
  return name === undefined ? `command ${command ?? ''}` : `name ${name}`;
}

/** The agent in words. */
export function agentTitle({ name, command }: AgentChoice): string {
  return name ?? command ?? '';
}

/** What is wrong with a value that should be a record; undefined if it is valid. */
export function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is not an object';
  const { schema, ...fields } = value as Record<string, unknown>;
  if (schema !== recordSchema) return `its schema is ${JSON.stringify(schema)}, and this version reads ${recordSchema}`;
  const texts = ['id', 'cwd', 'createdAt', 'lastUsedAt'].filter((key) => typeof fields[key] !== 'string');
  const objects = ['agent', 'settings'].filter((key) => typeof fields[key] !== 'object' || fields[key] === null);
  const missing = [...texts, ...objects];
  return missing.length > 0 ? `it lacks ${missing.join(', ')}` : undefined;
}
