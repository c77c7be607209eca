export { type PermissionFacts, permissionFacts, reportedFacts } from './permission-facts.ts';
