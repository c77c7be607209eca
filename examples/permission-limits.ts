// #region launch
import { launchAgent } from '@turnwire/client/node';
import { limitsMeta, type Permissions } from '@turnwire/permissions';

declare const permissions: Permissions;
await launchAgent('my-agent --acp', {
  permission: permissions.policy,
  promptMeta: ({ capabilities }) => limitsMeta(capabilities, permissions.limits),
});
// #endregion
