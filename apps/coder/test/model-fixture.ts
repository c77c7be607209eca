import { mkdtemp, realpath, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { readSettings } from '../src/config/settings.ts';
import type { Settings } from '../src/config/settings.ts';
import type { CoderOptions } from '../src/index.ts';
import type { ModelCatalog } from '../src/model/model-catalog.ts';
import type { ChosenModel } from '../src/model/model.ts';
import { openModels } from '../src/model/open-models.ts';
import { streamModel } from '../src/model/stream-model.ts';
import type { StreamOptions } from '../src/model/stream-model.ts';

type Part = LanguageModelV3StreamPart;

/** A user's folders and nothing else: no keys, no servers, no settings but those a test puts there. */
export class ModelFixture implements AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.env = { ...emptyHome(folder), ...env };
  }

  /** @param files the content of the folder: `config/turnwire/coder.json` has the user's settings, `project` is the session's folder */
  static async open(
    env: Readonly<Record<string, string>> = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<ModelFixture> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'models-')));
    await mkdir(join(folder, 'project'));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content, { mode: 0o600 });
    }
    return new ModelFixture(folder, env);
  }

  settings(options: CoderOptions = {}): Promise<Settings> {
    return readSettings({ cwd: join(this.folder, 'project'), env: this.env, options });
  }

  async models(options: CoderOptions = {}): Promise<ModelCatalog> {
    return openModels({ settings: await this.settings(options), env: this.env, options });
  }

  async choose(model: string, thoughtLevel?: string): Promise<ChosenModel> {
    return (await this.models()).open({ model, thoughtLevel });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** An environment in which nothing is set up, and nothing on this machine is found. */
function emptyHome(folder: string): Readonly<Record<string, string>> {
  return {
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_STATE_HOME: join(folder, 'state'),
    OLLAMA_HOST: 'http://127.0.0.1:9',
    LMSTUDIO_BASE_URL: 'http://127.0.0.1:9',
  };
}

export const hello: LanguageModelV3CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'script: say hello' }] }],
};

/** Everything a model passes on, and the error it ends with, if it does. */
export async function heard(
  chosen: ChosenModel,
  call: LanguageModelV3CallOptions = hello,
  options: Partial<StreamOptions> = {},
): Promise<{ readonly parts: readonly Part[]; readonly error: unknown }> {
  const parts: Part[] = [];
  try {
    const { signal } = new AbortController();
    const limits = { firstPause: 1, ...options.limits };
    for await (const part of streamModel(chosen, call, { signal, ...options, limits })) parts.push(part);
    return { parts, error: undefined };
  } catch (error) {
    return { parts, error };
  }
}

/** What was said, thought and called, and how it ended. */
export function summary(parts: readonly Part[]): object {
  const texts = (type: 'text-delta' | 'reasoning-delta'): string =>
    parts.map((part) => (part.type === type ? part.delta : '')).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ tool: part.toolName, input: JSON.parse(part.input) as unknown }] : [],
  );
  const end = parts.find((part) => part.type === 'finish');
  return {
    ...(texts('text-delta') && { said: texts('text-delta') }),
    ...(texts('reasoning-delta') && { thought: texts('reasoning-delta') }),
    ...(calls.length > 0 && { calls }),
    ...(end && { end: end.finishReason.unified, read: end.usage.inputTokens, wrote: end.usage.outputTokens }),
  };
}
