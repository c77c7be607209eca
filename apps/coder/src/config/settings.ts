import { join } from 'node:path';
import type { CoderOptions } from './coder-options.ts';
import { configFolder } from '@turnwire/machine';
import { type Environment, firstSet } from './environment.ts';
import type {
  HookGroups,
  LimitSettings,
  TimeoutSettings,
  ProviderSettings,
  WebSearchSettings,
} from './setting-groups.ts';
import type { ProjectFile, UserFile } from './settings-file-shapes.ts';
import { readSettingsFile } from './settings-file.ts';

/** The settings of the agent: from flags, then the environment, then files. */
export interface Settings {
  /** `provider/model`. Undefined: none is set. */
  readonly model: string | undefined;
  /** The source of the model, for error messages. */
  readonly modelFrom: string | undefined;
  /** A value of the option `thought_level`. */
  readonly thoughtLevel: string | undefined;
  readonly limits: LimitSettings;
  /** Replaces our instructions to the model; is added after everything else. Undefined: our instructions, and nothing added. */
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  /** By the provider's name. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** The user's MCP servers: the value of `mcpServers`, as `readMcpConfig` of `@turnwire/machine` expects it. Undefined: none. */
  readonly mcpServers: object | undefined;
  readonly fetch: {
    /** Whether addresses of this machine and its network may be fetched. Default false. */
    readonly allowPrivate: boolean;
  };
  /** Undefined: the agent does not search the web. */
  readonly webSearch: WebSearchSettings | undefined;
  /** Whether commands inherit the keys of model providers from the agent's environment. Default false. */
  readonly passKeysToCommands: boolean;
  /** Days after which an unused session is deleted. Undefined: never. */
  readonly keepSessionsDays: number | undefined;
  /** Time limits of models. */
  readonly timeouts: TimeoutSettings;
  /** Commands that are run before and after tool calls. A project cannot set them. */
  readonly hooks: HookGroups;
  /** Path of the user's own file, even if it does not exist. */
  readonly userFile: string;
  /** Errors in the files, each as one sentence with file and line. The rest of a file still applies. */
  readonly warnings: readonly string[];
}

/** The sources of settings. */
export interface SettingsSources {
  /** The session's folder: `.turnwire/coder.json` in it is read. */
  readonly cwd: string;
  readonly env: Environment;
  /** The options of the program that serves the agent. */
  readonly options: CoderOptions;
}

/** The variable that sets the model. */
const modelVariable = 'TURNWIRE_CODER_MODEL';

/**
 * Reads the settings: flags before the environment before `coder.json` in the user's configuration folder. The project's
 * `.turnwire/coder.json` may only lower limits and set the thought level: an untrusted folder must not choose the provider that sees the
 * code, the cost or the commands. Never rejects: see {@link Settings.warnings}.
 */
export async function readSettings({ cwd, env, options }: SettingsSources): Promise<Settings> {
  const userFile = join(configFolder(env), 'coder.json');
  const [user, project] = await Promise.all([
    readSettingsFile('user', { path: userFile }),
    readSettingsFile('project', { path: join(cwd, '.turnwire', 'coder.json'), project: cwd }),
  ]);
  return {
    ...modelSetting({ env, options }, { path: userFile, model: user.value.model }),
    thoughtLevel: project.value.thoughtLevel ?? user.value.thoughtLevel,
    limits: limitsOf(options, user.value, project.value),
    systemPrompt: options.systemPrompt,
    appendSystemPrompt: options.appendSystemPrompt,
    providers: user.value.providers ?? {},
    mcpServers: user.value.mcpServers,
    fetch: { allowPrivate: user.value.fetch?.allowPrivate ?? false },
    webSearch: user.value.webSearch,
    passKeysToCommands: user.value.passKeysToCommands ?? false,
    keepSessionsDays: user.value.keepSessionsDays,
    timeouts: user.value.timeouts ?? {},
    hooks: user.value.hooks ?? {},
    userFile,
    warnings: [...user.warnings, ...project.warnings],
  };
}

function modelSetting(
  { env, options }: Omit<SettingsSources, 'cwd'>,
  file: { readonly path: string; readonly model: string | undefined },
): Pick<Settings, 'model' | 'modelFrom'> {
  if (typeof options.model === 'string') return { model: options.model, modelFrom: '--model' };
  const variable = firstSet(env, [modelVariable]);
  if (variable) return { model: variable.value, modelFrom: modelVariable };
  return { model: file.model, modelFrom: file.model === undefined ? undefined : file.path };
}

/** The agent's options take precedence over the user's file; the project may only lower the limits. */
function limitsOf(options: CoderOptions, user: UserFile, project: ProjectFile): LimitSettings {
  const limit = (name: keyof LimitSettings): number | undefined => {
    const own = options[name] ?? user.limits?.[name];
    const projects = project.limits?.[name];
    return own === undefined || projects === undefined ? (own ?? projects) : Math.min(own, projects);
  };
  return {
    maxSteps: limit('maxSteps'),
    maxTokens: limit('maxTokens'),
    maxCost: limit('maxCost'),
    maxMinutes: limit('maxMinutes'),
  };
}
