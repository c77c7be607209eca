import type { KnownAgent } from './known-agent.ts';

/** API keys of model providers, for agents that support several providers. */
const providerKeys = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OPENROUTER_API_KEY',
  'DEEPSEEK_API_KEY',
  'MISTRAL_API_KEY',
  'GROQ_API_KEY',
  'XAI_API_KEY',
];

/** Agents that were tested with full turns: text, files, commands, a refusal, a cancel, a load, a killed client. */
const driven: readonly KnownAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    command: ['claude-agent-acp'],
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.101.0',
    infoNames: ['@agentclientprotocol/claude-agent-acp', '@zed-industries/claude-agent-acp'],
    // IS_SANDBOX is left out: with it, and as root, no session can be created.
    inheritEnv: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION', 'AWS_PROFILE'],
    documentation: 'https://github.com/agentclientprotocol/claude-agent-acp',
    // Since 0.101 it may start in the mode `auto`: a model decides what is safe, and files are written without asking.
    differences: { asking: { by: 'mode', modeId: 'default' }, forksAfterMessage: true },
  },
  {
    name: 'codex',
    title: 'Codex',
    command: ['codex-acp'],
    package: '@agentclientprotocol/codex-acp',
    version: '2.6.0',
    infoNames: ['@agentclientprotocol/codex-acp', 'codex-acp'],
    inheritEnv: ['OPENAI_*', 'CODEX_*', 'NO_BROWSER'],
    documentation: 'https://github.com/agentclientprotocol/codex-acp',
    differences: {
      // It ends its own server first, which takes 2 to 5 s.
      exitTimeout: 6_000,
      // It starts in the mode `agent`, which asks only for actions it finds unsafe and leaves the rest to its sandbox.
      asking: { by: 'mode', modeId: 'read-only' },
      forksAfterMessage: true,
      keepsForks: true,
    },
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    command: ['qwen', '--acp'],
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    infoNames: ['qwen-code'],
    inheritEnv: ['OPENAI_*', 'QWEN_*', 'DASHSCOPE_API_KEY', 'BAILIAN_*'],
    documentation: 'https://github.com/QwenLM/qwen-code',
    // It starts in the mode `auto`: a model decides what is safe, and files are written without asking.
    differences: { asking: { by: 'mode', modeId: 'default' } },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    command: ['gemini', '--acp'],
    package: '@google/gemini-cli',
    version: '0.61.0',
    infoNames: ['gemini-cli'],
    inheritEnv: ['GEMINI_*', 'GOOGLE_*'],
    documentation: 'https://github.com/google-gemini/gemini-cli',
    differences: {
      missingFile: 'empty',
      loadsFromNextMinute: true,
      replaysLate: true,
      commandInTitleOf: 'run_shell_command__',
    },
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    command: ['opencode', 'acp'],
    package: 'opencode-ai',
    version: '1.18.33',
    infoNames: ['OpenCode'],
    inheritEnv: ['OPENCODE_*', ...providerKeys],
    documentation: 'https://opencode.ai/docs/acp',
    differences: {
      asking: { by: 'environment', variables: { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask"}' } },
    },
  },
  {
    name: 'cline',
    title: 'Cline',
    command: ['cline', '--acp'],
    package: 'cline',
    version: '3.0.65',
    infoNames: ['cline'],
    inheritEnv: ['CLINE_*', ...providerKeys],
    documentation: 'https://docs.cline.bot',
    // Without it, every start leaves a server behind that no session ends.
    differences: { environment: { CLINE_SESSION_BACKEND_MODE: 'local' } },
  },
  {
    name: 'copilot',
    title: 'GitHub Copilot',
    command: ['copilot', '--acp', '--stdio'],
    package: '@github/copilot',
    version: '1.0.102',
    infoNames: ['Copilot'],
    inheritEnv: ['COPILOT_*', 'GH_*', 'GITHUB_TOKEN'],
    documentation: 'https://docs.github.com/copilot/how-tos/copilot-cli',
  },
  {
    name: 'pi',
    title: 'Pi',
    command: ['pi-acp'],
    package: 'pi-acp',
    version: '0.0.34',
    needs: 'pi',
    infoNames: ['pi-acp'],
    inheritEnv: ['PI_*', ...providerKeys],
    documentation: 'https://github.com/svkozak/pi-acp',
    differences: { asking: { by: 'nothing' } },
  },
];

/** Agents with a known command that were not tested. */
const listed: readonly KnownAgent[] = [
  {
    name: 'antigravity',
    title: 'Google Antigravity',
    command: ['agy_acp_server.par'],
    windowsCommand: ['agy_acp_server.exe'],
  },
  { name: 'cursor', title: 'Cursor', command: ['cursor-agent', 'acp'], inheritEnv: ['CURSOR_*'] },
  { name: 'devin', title: 'Devin', command: ['devin', 'acp'] },
  {
    name: 'droid',
    title: 'Factory Droid',
    command: ['droid', 'exec', '--output-format', 'acp'],
    inheritEnv: ['FACTORY_*'],
  },
  { name: 'fast-agent', title: 'fast-agent', command: ['uvx', 'fast-agent-mcp', 'acp'], inheritEnv: providerKeys },
  { name: 'fx', title: 'fx', command: ['fx', 'acp'] },
  { name: 'grok-build', title: 'Grok Build', command: ['grok', 'agent', 'stdio'], inheritEnv: ['XAI_API_KEY'] },
  { name: 'iflow', title: 'iFlow', command: ['iflow', '--experimental-acp'], inheritEnv: ['IFLOW_*'] },
  { name: 'junie', title: 'Junie', command: ['junie', '--acp=true'], inheritEnv: ['JUNIE_*'] },
  { name: 'kilocode', title: 'Kilo Code', command: ['kilo', 'acp'], package: '@kilocode/cli', inheritEnv: ['KILO_*'] },
  { name: 'kimi', title: 'Kimi Code', command: ['kimi', 'acp'], inheritEnv: ['KIMI_*', 'MOONSHOT_API_KEY'] },
  { name: 'kiro', title: 'Kiro', command: ['kiro-cli-chat', 'acp'] },
  { name: 'mcode', title: 'MCode', command: ['mcode', 'acp'] },
  { name: 'mux', title: 'Mux', command: ['mux', 'acp'], inheritEnv: providerKeys },
  { name: 'openclaw', title: 'OpenClaw', command: ['openclaw', 'acp'], inheritEnv: ['OPENCLAW_*'] },
  { name: 'pool', title: 'Poolside', command: ['pool', 'acp'] },
  { name: 'qoder', title: 'Qoder', command: ['qodercli', '--acp'] },
  { name: 'trae', title: 'Trae', command: ['traecli', 'acp', 'serve'] },
  { name: 'zeroclaw', title: 'ZeroClaw', command: ['zeroclaw', 'acp'] },
];

/** The well-known agents: tested ones first, then the others by name. */
export const knownAgents: readonly KnownAgent[] = [...driven, ...listed];
