import type { ClientMutant } from '../client-mutant.ts';
import { answersTo, answersWith, changesResult, confuses, feigns, mistakes, refuses } from './host-defects.ts';

const create = 'terminal/create';
const output = 'terminal/output';
const wait = 'terminal/wait_for_exit';
const kill = 'terminal/kill';
const release = 'terminal/release';

const mutants: readonly ClientMutant[] = [
  {
    name: 'answers when a command has ended',
    scenario: 'terminals/life',
    breaks: 'R218',
    defect: answersTo(create, () => []),
  },
  { name: 'cannot kill', scenario: 'terminals/life', breaks: 'R217', defect: refuses(kill, -32_601) },
  {
    name: 'calls everything ended',
    scenario: 'terminals/life',
    breaks: 'R223',
    defect: changesResult(output, (result) => ({ ...result, exitStatus: { exitCode: 3, signal: null } })),
  },
  {
    name: 'does not wait',
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
    name: 'leaves out variables',
    scenario: 'terminals/environment',
    breaks: 'R220',
    defect: mistakes(create, (params) => ({ ...params, env: [] })),
  },
  {
    name: 'has one folder for all commands',
    scenario: 'terminals/environment',
    breaks: 'R217',
    defect: mistakes(create, ({ cwd: _, ...params }) => params),
  },
  {
    name: 'keeps more than is wanted',
    scenario: 'terminals/output-limit',
    breaks: 'R221',
    defect: mistakes(create, (params) => ({ ...params, outputByteLimit: 15 })),
  },
  {
    name: 'keeps the beginning',
    scenario: 'terminals/output-limit',
    breaks: 'R221',
    defect: changesResult(output, (result) =>
      result['truncated'] === true ? { ...result, output: 'abcdefghij' } : result,
    ),
  },
  {
    name: 'calls nothing truncated',
    scenario: 'terminals/output-limit',
    breaks: 'R221',
    defect: changesResult(output, (result) => ({ ...result, truncated: false })),
  },
  {
    name: 'cuts letters',
    scenario: 'terminals/output-limit',
    breaks: 'R222',
    defect: changesResult(output, (result) => ({ ...result, output: `\u{fffd}${String(result['output']).slice(1)}` })),
  },
  {
    name: 'calls everything truncated',
    scenario: 'terminals/output-limit',
    breaks: 'R223',
    defect: changesResult(output, (result) => ({ ...result, truncated: true })),
  },
  {
    name: 'does not tell of signals',
    scenario: 'terminals/signal',
    breaks: 'R224',
    defect: answersWith(wait, { exitCode: 0, signal: null }),
  },
  {
    name: 'takes a kill for a success',
    scenario: 'terminals/kill',
    breaks: 'R224',
    defect: changesResult(wait, () => ({ exitCode: 0, signal: null })),
  },
  {
    name: 'offers terminals, and has none',
    scenario: 'terminals/life',
    breaks: 'R217',
    defect: refuses(create, -32_601),
  },
  { name: 'lets commands live', scenario: 'terminals/kill', breaks: 'R225', defect: feigns(kill, {}) },
  { name: 'forgets whom it kills', scenario: 'terminals/kill', breaks: 'R225', defect: confuses(kill, release) },
  ...['terminals/kill', 'terminals/release'].map((scenario) => ({
    name: 'waits for ever',
    scenario,
    breaks: 'R231' as const,
    defect: answersTo(wait, () => []),
  })),
  { name: 'only forgets', scenario: 'terminals/release', breaks: 'R227', defect: feigns(release, {}) },
  { name: 'never forgets', scenario: 'terminals/release', breaks: 'R228', defect: confuses(release, kill) },
  ...[output, kill, release].map((method) => ({
    name: `does not look whose terminal it is: ${method}`,
    scenario: 'terminals/other-session',
    breaks: 'R232' as const,
    defect: mistakes(method, (params) => ({
      ...params,
      sessionId: String(params['sessionId']).replace('-of-others', ''),
    })),
  })),
  {
    name: 'takes a timeout for an end',
    scenario: 'terminals/wait-timeout',
    breaks: 'R224',
    defect: feigns(wait, { exitCode: 0, signal: null }),
  },
];

/** Clients that fail their agents with commands. These take their time. */
export const terminalsMutants: readonly ClientMutant[] = mutants.map((mutant) => ({ ...mutant, isSlow: true }));
