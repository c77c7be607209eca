export { actionOf } from './action.ts';
export { answerOf } from './question-choices.ts';
export { createPermissions } from './create-permissions.ts';
export { type DecisionLog, decisionLog } from './decision-log.ts';
export { hostActionOf } from './host-action.ts';
export { hostPreviewOf } from './host-preview.ts';
export { isOfHost } from './host-request.ts';
export { limitsMeta, limitsOf } from './permission-limits.ts';
export type {
  Action,
  Allowing,
  Answer,
  Asker,
  Decision,
  DecisionRecord,
  GivenRule,
  HostPreview,
  PermissionLimits,
  PermissionMode,
  PermissionRule,
  Permissions,
  PermissionsOptions,
  Question,
  RuleEffect,
  RuleSource,
  UnaskedCall,
} from './permissions.ts';
export type { ConfinedRun, QuestionChoice, QuestionView, ShownPath } from '@turnwire/protocol';
export { allowedTools, policyOfFlag, type PolicySettings, readPolicy } from './policy-json.ts';
export { rulesFiles } from './rules-files.ts';
export { secretPlaces } from './secret-places.ts';
