import type { ClientMutant } from '../client-mutant.ts';
import { answersTo, answersWith, changesResult, confuses, feigns, mistakes, refuses } from './host-defects.ts';

const create = 'terminal/create';
const output = 'terminal/output';
const wait = 'terminal/wait_for_exit';
const kill = 'terminal/kill';
const release = 'terminal/release';

const mutants: readonly ClientMutant[] = [
  {
    name: 'answers terminal/create only after the command ended',
    scenario: 'terminals/life',
    breaks: 'R218',
    defect: answersTo(create, () => []),
  },
  { name: 'cannot kill', scenario: 'terminals/life', breaks: 'R217', defect: refuses(kill, -32_601) },
  {
    name: 'reports every command as ended',
    scenario: 'terminals/life',
    breaks: 'R223',
    defect: changesResult(output, (result) => ({ ...result, exitStatus: { exitCode: 3, signal: null } })),
  },
  {
    name: 'does not wait for the end of a command',
    scenario: 'terminals/life',
    breaks: 'R224',
    defect: feigns(wait, { exitCode: 3, signal: null }),
  },
  {
    name: 'loses exit codes',
    scenario: 'terminals/life',
    breaks: 'R224',
    defect: answersWith(wait, { exitCode: 0, signal: null }),
  },
  {
    name: 'drops environment variables',
    scenario: 'terminals/environment',
    breaks: 'R220',
    defect: mistakes(create, (params) => ({ ...params, env: [] })),
  },
  {
    name: 'runs all commands in one folder',
    scenario: 'terminals/environment',
    breaks: 'R217',
    defect: mistakes(create, ({ cwd: _, ...params }) => params),
  },
  {
    name: 'returns more output than the limit',
    scenario: 'terminals/output-limit',
    breaks: 'R221',
    defect: mistakes(create, (params) => ({ ...params, outputByteLimit: 15 })),
  },
  {
    name: 'keeps the beginning of the output',
    scenario: 'terminals/output-limit',
    breaks: 'R221',
    defect: changesResult(output, (result) =>
      result['truncated'] === true ? { ...result, output: 'abcdefghij' } : result,
    ),
  },
  {
    name: 'never reports output as truncated',
    scenario: 'terminals/output-limit',
    breaks: 'R221',
    defect: changesResult(output, (result) => ({ ...result, truncated: false })),
  },
  {
    name: 'cuts characters',
    scenario: 'terminals/output-limit',
    breaks: 'R222',
    defect: changesResult(output, (result) => ({ ...result, output: `\u{fffd}${String(result['output']).slice(1)}` })),
  },
  {
    name: 'reports all output as truncated',
    scenario: 'terminals/output-limit',
    breaks: 'R223',
    defect: changesResult(output, (result) => ({ ...result, truncated: true })),
  },
  {
    name: 'does not report signals',
    scenario: 'terminals/signal',
    breaks: 'R224',
    defect: answersWith(wait, { exitCode: 0, signal: null }),
  },
  {
    name: 'reports a killed command as successful',
    scenario: 'terminals/kill',
    breaks: 'R224',
    defect: changesResult(wait, () => ({ exitCode: 0, signal: null })),
  },
  {
    name: 'offers terminals but does not implement them',
    scenario: 'terminals/life',
    breaks: 'R217',
    defect: refuses(create, -32_601),
  },
  { name: 'lets commands live', scenario: 'terminals/kill', breaks: 'R225', defect: feigns(kill, {}) },
  { name: 'forgets whom it kills', scenario: 'terminals/kill', breaks: 'R225', defect: confuses(kill, release) },
  ...['terminals/kill', 'terminals/release'].map((scenario) => ({
    name: 'never answers terminal/wait_for_exit',
    scenario,
    breaks: 'R231' as const,
    defect: answersTo(wait, () => []),
  })),
  { name: 'only forgets', scenario: 'terminals/release', breaks: 'R227', defect: feigns(release, {}) },
  { name: 'never forgets', scenario: 'terminals/release', breaks: 'R228', defect: confuses(release, kill) },
  ...[output, kill, release].map((method) => ({
    name: `ignores the session of a terminal: ${method}`,
    scenario: 'terminals/other-session',
    breaks: 'R232' as const,
    defect: mistakes(method, (params) => ({
      ...params,
      sessionId: String(params['sessionId']).replace('-of-others', ''),
    })),
  })),
  {
    name: 'treats a timeout as the end of a command',
    scenario: 'terminals/wait-timeout',
    breaks: 'R224',
    defect: feigns(wait, { exitCode: 0, signal: null }),
  },
];

/** Clients with faults in terminals. These mutants are slow. */
export const terminalsMutants: readonly ClientMutant[] = mutants.map((mutant) => ({ ...mutant, isSlow: true }));
