import { join } from 'node:path';
import type { CoderOptions } from '../coder-options.ts';
import { configFolder } from '@turnwire/machine';
import { type Environment, firstSet } from './environment.ts';
import type { LimitSettings, PatienceSettings, ProviderSettings } from './setting-groups.ts';
import type { ProjectFile, UserFile } from './settings-file-shapes.ts';
import { readSettingsFile } from './settings-file.ts';

/** How the agent is set up: by flags, then the environment, then files. */
export interface Settings {
  /** `provider/model`. Undefined: nobody chose one. */
  readonly model: string | undefined;
  /** Where the model was chosen, in words for an error message. */
  readonly modelFrom: string | undefined;
  /** A value of the option `thought_level`. */
  readonly thoughtLevel: string | undefined;
  readonly limits: LimitSettings;
  /** What the model is told of its work in place of our words, and after everything else. Undefined: our words, and no more. */
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  /** By the provider's name. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** MCP servers of the user's own, as `readMcpConfig` of `@turnwire/machine` takes them: what stands behind `mcpServers`. Undefined: none. */
  readonly mcpServers: object | undefined;
  readonly fetch: {
    /** Addresses of this machine and its network may be fetched. Default false. */
    readonly allowPrivate: boolean;
  };
  /** Commands find the keys of model providers in their environment, if the agent has them there. Default false. */
  readonly passKeysToCommands: boolean;
  /** Days after which a session nobody used is deleted. Undefined: never. */
  readonly keepSessionsDays: number | undefined;
  /** How long models may take. */
  readonly patience: PatienceSettings;
  /** Where the user's own file is, whether there is one or not. */
  readonly userFile: string;
  /** What was wrong in the files, each as one sentence with file and line. What is not wrong holds. */
  readonly warnings: readonly string[];
}

/** Where settings come from. */
export interface SettingsSources {
  /** The session's folder: `.turnwire/coder.json` in it is read. */
  readonly cwd: string;
  readonly env: Environment;
  /** What the program that serves the agent was told. */
  readonly options: CoderOptions;
}

/** The variable that names the model. */
const modelVariable = 'TURNWIRE_CODER_MODEL';

/**
 * Reads the settings: flags before the environment before `coder.json` in the user's configuration folder. The project's
 * `.turnwire/coder.json` may lower limits and set the thought level, and nothing else: which provider sees the code, what it costs and what is run
 * is not for a folder to say that came from somewhere. Never rejects: see {@link Settings.warnings}.
 */
export async function readSettings({ cwd, env, options }: SettingsSources): Promise<Settings> {
  const userFile = join(configFolder(env), 'coder.json');
  const user = readSettingsFile('user', { path: userFile });
  const project = readSettingsFile('project', { path: join(cwd, '.turnwire', 'coder.json'), project: cwd });
  return {
    ...chosenModel({ env, options }, { path: userFile, model: user.value.model }),
    thoughtLevel: project.value.thoughtLevel ?? user.value.thoughtLevel,
    limits: limitsOf(options, user.value, project.value),
    systemPrompt: options.systemPrompt,
    appendSystemPrompt: options.appendSystemPrompt,
    providers: user.value.providers ?? {},
    mcpServers: user.value.mcpServers,
    fetch: { allowPrivate: user.value.fetch?.allowPrivate ?? false },
    passKeysToCommands: user.value.passKeysToCommands ?? false,
    keepSessionsDays: user.value.keepSessionsDays,
    patience: user.value.patience ?? {},
    userFile,
    warnings: [...user.warnings, ...project.warnings],
  };
}

function chosenModel(
  { env, options }: Omit<SettingsSources, 'cwd'>,
  file: { readonly path: string; readonly model: string | undefined },
): Pick<Settings, 'model' | 'modelFrom'> {
  if (typeof options.model === 'string') return { model: options.model, modelFrom: '--model' };
  const variable = firstSet(env, [modelVariable]);
  if (variable) return { model: variable.value, modelFrom: modelVariable };
  return { model: file.model, modelFrom: file.model === undefined ? undefined : file.path };
}

/** What was given with the agent holds before the user's file; the project may ask for less. */
function limitsOf(options: CoderOptions, user: UserFile, project: ProjectFile): LimitSettings {
  const limit = (name: keyof LimitSettings): number | undefined =>
    lower(options[name] ?? user.limits?.[name], project.limits?.[name]);
  return {
    maxSteps: limit('maxSteps'),
    maxTokens: limit('maxTokens'),
    maxCost: limit('maxCost'),
    maxMinutes: limit('maxMinutes'),
  };
}

function lower(own: number | undefined, project: number | undefined): number | undefined {
  return own === undefined || project === undefined ? (own ?? project) : Math.min(own, project);
}
