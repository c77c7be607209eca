import { fileURLToPath } from 'node:url';
import { examineAgent, type ExamineOptions, type Finding } from '@turnwire/client/node';

/** The command of an agent with a known fault. */
export function patient(...words: readonly string[]): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('fixtures/patient.mjs', import.meta.url)), ...words];
}

/** All findings of an examination. */
export async function examined(
  command: string | readonly string[],
  options: ExamineOptions = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of examineAgent(command, options)) findings.push(finding);
  return findings;
}

/** The findings as a table: layer and verdict, and the message if it differs from that of a healthy agent. */
export function verdicts(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ layer, verdict }) => `${layer} ${verdict}`);
}

/** The findings other than `ok` and `skipped`, without times. */
export function warnings(findings: readonly Finding[]): readonly Omit<Finding, 'milliseconds'>[] {
  return findings
    .filter(({ verdict }) => verdict === 'warning' || verdict === 'failed')
    .map(({ milliseconds: _, ...finding }) => finding);
}
