import { describe, expect, it } from 'vitest';
import {
  fetchedCommand,
  installedCommand,
  knownAgent,
  knownAgentNamed,
  knownAgents,
  permissionsOptionsFor,
  startOptionsFor,
} from '../src/known-agents/index.ts';

const nameOf = (...command: string[]): string | undefined => knownAgent({ command })?.name;

describe('a known agent', () => {
  it('an agent is recognised by its name in initialize', () => {
    const said = [
      '@agentclientprotocol/claude-agent-acp',
      '@agentclientprotocol/codex-acp',
      'qwen-code',
      'gemini-cli',
      'OpenCode',
      'cline',
      'Copilot',
      'pi-acp',
      'somebody-else',
    ];
    expect(said.map((name) => knownAgent({ info: { name } })?.name)).toEqual([
      'claude',
      'codex',
      'qwen',
      'gemini',
      'opencode',
      'cline',
      'copilot',
      'pi',
      undefined,
    ]);
  });

  it('an agent is recognised by its command: a program, a package that npm fetches, a script in a package', () => {
    expect(nameOf('gemini', '--acp')).toBe('gemini');
    expect(nameOf('/opt/bin/gemini', '--acp')).toBe('gemini');
    expect(nameOf('C:\\Tools\\Gemini.CMD', '--acp')).toBe('gemini');
    expect(nameOf('npx', '-y', '@google/gemini-cli@0.61.0', '--acp')).toBe('gemini');
    expect(nameOf('npx', '--yes', '--package=cline@3.0.65', '--', 'cline', '--acp')).toBe('cline');
    expect(nameOf('node', '/srv/node_modules/pi-acp/dist/index.js')).toBe('pi');
    expect(nameOf('C:\\node.exe', 'C:\\x\\node_modules\\@qwen-code\\qwen-code\\cli-entry.js')).toBe('qwen');
  });

  it('an agent is not recognised by a word that only resembles it', () => {
    expect(nameOf('my-agent', 'cline')).toBeUndefined();
    expect(nameOf('cline-wrapper')).toBeUndefined();
    expect(nameOf('npx', 'cline-wrapper@1.0.0')).toBeUndefined();
    expect(nameOf('uvx', 'something-else', 'acp')).toBeUndefined();
    expect(nameOf()).toBeUndefined();
  });

  it('the name in initialize wins over the command', () => {
    const command = ['gemini', '--acp'];
    expect(knownAgent({ info: { name: 'qwen-code' }, command })?.name).toBe('qwen');
    expect(knownAgent({ info: { name: 'gemini-wrapper' }, command })).toBeUndefined();
    expect(knownAgent({ command })?.name).toBe('gemini');
  });

  it('an agent is found by its name in any case', () => {
    expect(knownAgentNamed('Claude')?.title).toBe('Claude Code');
    expect(knownAgentNamed('nobody')).toBeUndefined();
  });
});

describe('a command for a known agent', () => {
  it('npm fetches an agent in the version that was tried', () => {
    expect(fetchedCommand(knownAgentNamed('copilot')!)).toEqual([
      'npx',
      '--yes',
      '--package=@github/copilot@1.0.102',
      '--',
      'copilot',
      '--acp',
      '--stdio',
    ]);
  });

  it('an agent without a tried version or a package is not fetched', () => {
    expect(fetchedCommand(knownAgentNamed('kilocode')!)).toBeUndefined();
    expect(fetchedCommand(knownAgentNamed('cursor')!)).toBeUndefined();
  });

  it('an installed agent gets the command of its platform', () => {
    const antigravity = knownAgentNamed('antigravity')!;
    expect(installedCommand(antigravity, 'linux')).toEqual(['agy_acp_server.par']);
    expect(installedCommand(antigravity, 'win32')).toEqual(['agy_acp_server.exe']);
    expect(installedCommand(knownAgentNamed('qwen')!, 'win32')).toEqual(['qwen', '--acp']);
  });

  it('the command of a known agent is recognised again', () => {
    const unrecognised = knownAgents.filter(
      (agent) => agent.command[0] !== 'uvx' && knownAgent({ command: agent.command }) !== agent,
    );
    const fetched = knownAgents.filter((agent) => {
      const command = fetchedCommand(agent);
      return command !== undefined && knownAgent({ command }) !== agent;
    });
    expect({ unrecognised, fetched }).toEqual({ unrecognised: [], fetched: [] });
  });
});

describe('the known differences of an agent', () => {
  const optionsFor = (name: string): unknown => {
    const { differences } = knownAgentNamed(name)!;
    return { ...startOptionsFor(differences), ...permissionsOptionsFor(differences) };
  };

  it('differences of an agent reach the options of each part', () => {
    expect(['claude', 'gemini', 'pi', 'codex'].map(optionsFor)).toEqual([
      {},
      { loadNotBefore: expect.any(Function) as unknown, replaysLate: true, commandInTitleOf: 'run_shell_command__' },
      { asksNobody: true },
      {},
    ]);
  });

  it('a session that cannot be loaded within its minute is loaded in the next one', () => {
    const { loadNotBefore } = startOptionsFor({ loadsFromNextMinute: true });
    const times = ['10:00:00.000', '10:00:59.999'].map((time) => Date.parse(`2026-01-01T${time}Z`));
    expect(times.map((time) => new Date(loadNotBefore!(time)).toISOString())).toEqual([
      '2026-01-01T10:01:00.000Z',
      '2026-01-01T10:01:00.000Z',
    ]);
  });
});

describe('the table of known agents', () => {
  it('names, initialize names and packages are unique', () => {
    const all = [
      ...knownAgents.map(({ name }) => name),
      ...knownAgents.flatMap(({ infoNames = [] }) => infoNames.map((name) => `info ${name}`)),
      ...knownAgents.flatMap((agent) => (agent.package === undefined ? [] : [`package ${agent.package}`])),
    ];
    expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([]);
  });

  it('every difference was tried in an exact version', () => {
    const claims = knownAgents.filter(({ infoNames, differences }) => infoNames !== undefined || differences);
    expect(claims.filter(({ version = '' }) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('names from other agent lists are known', () => {
    const names =
      'pi openclaw codex claude gemini cursor copilot antigravity devin droid fast-agent fx grok-build iflow';
    const more = 'junie kilocode kimi kiro mcode mux opencode pool qoder qwen trae zeroclaw cline';
    expect(`${names} ${more}`.split(' ').filter((name) => !knownAgentNamed(name))).toEqual([]);
  });
});
