import { createPermissions } from '@turnwire/permissions';
// #region create
import { knownAgentNamed, permissionsOptionsFor } from '@turnwire/client/known-agents';

createPermissions({ project: process.cwd(), ...permissionsOptionsFor(knownAgentNamed('gemini')?.differences) });
// #endregion
