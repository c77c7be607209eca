import { checks, describe, type Problem, repair } from '@agentwire/protocol';
import type { RequirementId } from '../../requirements/requirement.ts';
import { type Definition, definitionOf, methodRow } from '../definition-of.ts';
import type { Frame } from '../frame.ts';
import type { Hearing, Rule } from '../rule.ts';

/** Which requirement says how a definition looks. What is not here is a matter of valid messages in general: R009 and R010. */
const requirementFor: { readonly [name in Definition]?: RequirementId } = {
  ProtocolVersion: 'R039',
  AuthMethod: 'R055',
  AuthenticateResponse: 'R058',
  NewSessionRequest: 'R076',
  LoadSessionRequest: 'R084',
  McpServerStdio: 'R112',
  McpServerHttp: 'R113',
  McpServerSse: 'R113',
  ListSessionsResponse: 'R116',
  SessionInfo: 'R117',
  PromptResponse: 'R145',
  StopReason: 'R147',
  ToolCall: 'R181',
  ToolCallUpdate: 'R182',
  ToolKind: 'R185',
  ToolCallStatus: 'R186',
  Content: 'R188',
  Diff: 'R188',
  Terminal: 'R188',
  PermissionOption: 'R196',
  RequestPermissionRequest: 'R196',
  RequestPermissionResponse: 'R197',
  WriteTextFileResponse: 'R213',
  TextContent: 'R233',
  ImageContent: 'R234',
  AudioContent: 'R234',
  EmbeddedResource: 'R235',
  ResourceLink: 'R236',
  Plan: 'R245',
  PlanEntry: 'R245',
  CurrentModeUpdate: 'R253',
  SetSessionConfigOptionResponse: 'R270',
  ConfigOptionUpdate: 'R271',
  SessionConfigSelectOptions: 'R274',
  AvailableCommand: 'R276',
  CreateElicitationRequest: 'R290',
  ElicitationSchema: 'R298',
  CreateElicitationResponse: 'R306',
  Notice: 'R316',
  CompactionUpdate: 'R320',
  CompactionSummaryChunk: 'R320',
};

/** Where two definitions are at the same place, and the outer one is meant only if nothing inside is wrong. */
const places: readonly (readonly [path: RegExp, requirement: RequirementId])[] = [
  [/^additionalDirectories\b/, 'R097'],
  [/^mcpServers\[\d+\]/, 'R112'],
];

export const schema: Rule = {
  name: 'Every message fits the schema of its method',
  judges: 'both',
  requirements: ['R009', 'R010', 'R097', ...new Set(Object.values(requirementFor))],
  listen: (hearing) => ({
    said: (frame) => {
      if (frame.kind !== 'other') judge(frame, hearing);
    },
  }),
};

function judge(frame: Frame, hearing: Hearing): void {
  const valid = hearing.judged === 'agent' ? 'R009' : 'R010';
  const definition = definitionOf(frame);
  if (definition === undefined) {
    if (isMisdirected(frame)) hearing.broken(valid, `${frame.method} is for the other side to send`, frame);
    return;
  }
  const problems = problemsOf(frame, definition);
  for (const problem of problems)
    hearing.broken(
      requirementOf(frame, problem) ?? valid,
      `${frame.method}${isAnswer(frame)}: ${describe([problem])}`,
      frame,
    );
  if (problems.length > 0) return;
  hearing.held(valid);
  for (const { type } of frame.dissection.parts) {
    const requirement = requirementFor[type];
    if (requirement !== undefined) hearing.held(requirement);
  }
}

function isMisdirected({ kind, method, from }: Frame): boolean {
  const row = methodRow(method);
  return kind !== 'answer' && row !== undefined && row.side === from;
}

function isAnswer({ kind }: Frame): string {
  return kind === 'answer' ? ' answer' : '';
}

function problemsOf(frame: Frame, definition: Definition): readonly Problem[] {
  if (frame.kind === 'answer' && !frame.isSuccess) return [];
  const value = frame.kind === 'answer' ? frame.message?.['result'] : (frame.message?.['params'] ?? {});
  // Where nothing is to be told, the documentation has null and the schema has an empty object.
  if (value === null && checks[definition]({})) return [];
  if (checks[definition](value)) return [];
  return repair(definition, structuredClone(value)).problems;
}

/** That of the innermost part the problem is in. */
function requirementOf(frame: Frame, { path }: Problem): RequirementId | undefined {
  const special = places.find(([place]) => place.test(path) && frame.method !== 'session/list');
  const owners = frame.dissection.parts.filter((part) => isWithin(path, part.path) && requirementFor[part.type]);
  const deepest = owners.toSorted((one, other) => one.path.length - other.path.length).at(-1);
  return (
    (deepest && deepest.path !== '' ? requirementFor[deepest.type] : undefined) ??
    special?.[1] ??
    (deepest && requirementFor[deepest.type])
  );
}

function isWithin(path: string, owner: string): boolean {
  return owner === '' || path === owner || path.startsWith(`${owner}.`) || path.startsWith(`${owner}[`);
}
