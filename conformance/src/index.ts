export type { AgentCheckSettings, AgentScenario } from './agent/agent-context.ts';
export { type AgentSubject, commandSubject, remoteSubject } from './agent/agent-subject.ts';
export { type AgentCheckOptions, appliesTo, checkAgent } from './agent/check-agent.ts';
export { type RegisterTest, testAgent, type TestAgentOptions } from './agent/test-agent.ts';
export { agentScenarios } from './agent/scenarios/scenarios.ts';
export { type Action, defaultSteering, type Steering } from './agent/steering.ts';
export { type ClientCheckOptions, checkClient, isForClient } from './client/check-client.ts';
export type { ClientCheckSettings, ClientScenario } from './client/client-context.ts';
export {
  type ClientAction,
  type ClientDriver,
  type ClientSteps,
  type Keystrokes,
  plainDriver,
} from './client/drive/client-driver.ts';
export type { ClientOrder, ClientSubject } from './client/drive/client-subject.ts';
export { commandClient } from './client/drive/command-client.ts';
export { acpxDriver, turnwireDriver } from './client/drive/drivers.ts';
export { Audit, auditJournal, type AuditOptions } from './audit/audit-journal.ts';
export { Outline } from './audit/outline.ts';
export type { RemoteProfile } from './remote/endpoint.ts';
export { clientScenarios } from './client/scenarios/scenarios.ts';
export {
  fuzzAgent,
  type FuzzFailure,
  type FuzzOptions,
  type FuzzProgress,
  type FuzzReport,
} from './fuzz/fuzz-agent.ts';
export type { FuzzFault } from './fuzz/fuzz-fault.ts';
export type { FuzzStep } from './fuzz/fuzz-step.ts';
export { type KeptCell, type KeptRow, keptRow, type KeptViolation, lasting, mergedRows } from './matrix/kept-row.ts';
export { type Matrix, type MatrixEntry, matrixOf, type MatrixRow, type SeenConnection } from './matrix/matrix.ts';
export { matrixHtml } from './matrix/matrix-html.ts';
export { matrixMarkdown } from './matrix/matrix-markdown.ts';
export { newPage, pageWith, type Review, type Reviews } from './matrix/matrix-page.ts';
export type { RunOptions } from './judge/judge.ts';
export { scenariosIn } from './judge/scenario.ts';
export { badgeReport } from './report/badge-report.ts';
export { htmlReport } from './report/html-report.ts';
export { frameExcerpt, frameSummary, shortened } from './report/frame-excerpt.ts';
export { keyFrameCount, keyFrames } from './report/key-frames.ts';
export { jsonReport, reportVersion } from './report/json-report.ts';
export { junitReport } from './report/junit-report.ts';
export { nameOf } from './report/name-of.ts';
export type { ReportOptions } from './report/report-options.ts';
export { countsAgainst, type Strictness } from './report/strictness.ts';
export { type OutcomeCounts, outcomes, summarise, type Summary } from './report/summary.ts';
export { type Unexercised, unexercised } from './report/unexercised.ts';
export { withoutSecrets } from './report/without-secrets.ts';
export type {
  CheckedVersion,
  ExtraProfile,
  Level,
  Quote,
  Requirement,
  RequirementId,
  Subject,
} from './requirements/requirement.ts';
export { requirements, sourceCommit } from './requirements/requirements.ts';
export { fixOf } from './requirements/fix-of.ts';
export { linkOf, originOf, otherSources, sourcePage } from './requirements/source-pages.ts';
export type { Observation, ScenarioResult } from './verdict/observation.ts';
export { type Cause, causesOf } from './verdict/causes.ts';
export { type Introduction, type Judgement, type Verdict, type VerdictFinding, verdictOn } from './verdict/verdict.ts';
export type { JournalEntry } from './wire/messages.ts';
