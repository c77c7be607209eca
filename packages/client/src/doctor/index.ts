export { examineAgent } from './examine-agent.ts';
export type { ExaminationTimeouts, ExamineOptions } from './examine-options.ts';
export { examinedLayers, type ExaminedLayer, type Finding, type Verdict } from './finding.ts';
export { programPath, type ProgramPlace } from './program-path.ts';
