import { knownAgentNamed } from '@turnwire/client/known-agents';

/** A real agent: how to install it, and how to connect it to a model on this machine without an account. */
export interface RealAgent {
  /** The name in the table of known agents. */
  readonly name: string;
  /** Packages to install in addition to the agent's, with exact versions. */
  readonly also?: readonly string[];
  /** The program to start, in `node_modules`. A `.js` file is run by Node.js. */
  readonly program: string;
  readonly parameters: readonly string[];
  /** Arguments and variables that make it use the model at `url` and no other network. */
  environment(url: string): Readonly<Record<string, string>>;
  /** Files in its home folder: text by path. */
  files?(url: string): Readonly<Record<string, string>>;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Not a real key: the model server accepts any. */
const key = 'not-a-real-key';

/** The agents, in the order in which they are run. */
export const realAgents: readonly RealAgent[] = [
  {
    name: 'claude',
    program: '@agentclientprotocol/claude-agent-acp/dist/index.js',
    parameters: [],
    environment: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
  },
  {
    name: 'codex',
    program: '@agentclientprotocol/codex-acp/dist/index.js',
    parameters: [],
    environment: () => ({ OPENAI_API_KEY: key, NO_BROWSER: '1' }),
    files: (url) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "local"',
        'check_for_update_on_startup = false',
        '[model_providers.local]',
        'name = "local"',
        `base_url = "${url}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        '[analytics]',
        'enabled = false',
        '',
      ].join('\n'),
    }),
  },
  {
    name: 'qwen',
    program: '@qwen-code/qwen-code/cli-entry.js',
    parameters: ['--acp'],
    environment: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: 'scripted' }),
    files: () => ({
      '.qwen/settings.json': json({
        security: { auth: { selectedType: 'openai' } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
  },
  {
    name: 'gemini',
    program: '@google/gemini-cli/bundle/gemini.js',
    parameters: ['--acp'],
    environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
    files: () => ({
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
  },
  {
    name: 'opencode',
    // The package puts its own command in place with an install script, which is not run here.
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    parameters: ['acp'],
    environment: (url) => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_CONFIG_CONTENT: json({
        model: 'local/scripted',
        small_model: 'local/scripted',
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { scripted: { tool_call: true, limit: { context: 100_000, output: 8_000 } } },
          },
        },
      }),
    }),
  },
  {
    name: 'cline',
    program: `@cline/cli-${process.platform}-${process.arch}/bin/cline`,
    parameters: ['--acp'],
    environment: () => ({
      CLINE_PROVIDER: 'openai-compatible',
      CLINE_MODEL: 'scripted',
      CLINE_API_KEY: key,
      CLINE_NO_AUTO_UPDATE: '1',
    }),
    files: (url) => ({
      '.cline/data/settings/providers.json': json({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: key, model: 'scripted', baseUrl: `${url}/v1` },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    }),
  },
  {
    name: 'copilot',
    program: `@github/copilot-${process.platform}-${process.arch}/copilot`,
    parameters: ['--acp', '--stdio'],
    environment: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    }),
  },
  {
    name: 'pi',
    also: ['@earendil-works/pi-coding-agent@0.87.1'],
    program: 'pi-acp/dist/index.js',
    parameters: [],
    environment: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }),
    files: (url) => ({
      '.pi/agent/settings.json': json({ defaultProvider: 'local', defaultModel: 'scripted' }),
      '.pi/agent/models.json': json({
        providers: {
          local: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: key,
            models: [{ id: 'scripted', contextWindow: 100_000, maxTokens: 8_000 }],
          },
        },
      }),
    }),
  },
];

/** The packages that npm installs for an agent: its package and version in the table of known agents, and those that it needs in addition. */
export function packagesOf({ name, also = [] }: RealAgent): readonly string[] {
  const { package: own = name, version = 'latest' } = knownAgentNamed(name) ?? {};
  return [`${own}@${version}`, ...also];
}
