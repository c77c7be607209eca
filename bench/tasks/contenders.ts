import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { realAgents } from '../../tools/real-agents/agents.ts';
import { install } from '../../tools/real-agents/install.ts';

const command = fileURLToPath(new URL('../../apps/cli/bin/turnwire.js', import.meta.url));

/** The agents that do the tasks. */
export const contenderNames = ['turnwire', 'opencode', 'pi'] as const;
export type ContenderName = (typeof contenderNames)[number];

/** An agent before its start, with its own home folder. */
export interface Contender {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Removes the home. */
  readonly remove: () => Promise<void>;
}

/** Prepares an agent to use the model at an address; installs third-party agents once. */
export async function contender(name: ContenderName, url: string): Promise<Contender> {
  const home = await mkdtemp(join(tmpdir(), `tasks-${name}-`));
  const places = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  const remove = (): Promise<void> => rm(home, { recursive: true, force: true, maxRetries: 5 });
  if (name === 'turnwire') {
    const model = {
      TURNWIRE_CODER_MODEL: 'openai-compatible/scripted',
      OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
      OPENAI_COMPATIBLE_API_KEY: 'none',
    };
    return { words: [process.execPath, command, 'coder'], env: { ...places, ...model }, remove };
  }
  const agent = realAgents.find((each) => each.name === name);
  if (!agent) throw new Error(`there is no agent ${name}`);
  const installed = await install(agent);
  for (const [path, text] of Object.entries(agent.files?.(url) ?? {})) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  // opencode looks for ripgrep there before it loads one from the network.
  const path = [dirname(rgPath), installed.path].join(delimiter);
  const env = { ...places, PATH: path, ...agent.environment(url) };
  return { words: installed.command, env, remove };
}
