export { actionOf } from './action.ts';
export { createPermissions } from './create-permissions.ts';
export { type DecisionLog, decisionLog } from './decision-log.ts';
export { hostActionOf } from './host-action.ts';
export { hostPreviewOf } from './host-preview.ts';
export type {
  Action,
  Answer,
  Asker,
  Decision,
  DecisionRecord,
  GivenRule,
  HostPreview,
  PermissionMode,
  PermissionRule,
  Permissions,
  PermissionsOptions,
  Question,
  RuleEffect,
  RuleSource,
  UnaskedCall,
} from './permissions.ts';
export { allowedTools, policyOfFlag, type PolicySettings, readPolicy } from './policy-json.ts';
