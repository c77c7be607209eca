import { fileURLToPath } from 'node:url';
import { examineAgent, type ExamineOptions, type Finding } from '@turnwire/client/node';

/** The command of an agent that is ill in a known way. */
export function patient(...words: readonly string[]): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('fixtures/patient.mjs', import.meta.url)), ...words];
}

/** Everything an examination finds. */
export async function examined(
  command: string | readonly string[],
  options: ExamineOptions = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of examineAgent(command, options)) findings.push(finding);
  return findings;
}

/** The findings as a table: layer and verdict, and the message where it is not as with a healthy agent. */
export function verdicts(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ layer, verdict }) => `${layer} ${verdict}`);
}

/** The findings that are not `ok` and not `skipped`, without times. */
export function warnings(findings: readonly Finding[]): readonly Omit<Finding, 'milliseconds'>[] {
  return findings
    .filter(({ verdict }) => verdict === 'warning' || verdict === 'failed')
    .map(({ milliseconds: _, ...finding }) => finding);
}
