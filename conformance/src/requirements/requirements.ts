import { framingRequirements } from './framing.ts';
import { initializationRequirements } from './initialization.ts';
import { authenticationRequirements } from './authentication.ts';
import { sessionSetupRequirements } from './session-setup.ts';
import { sessionListRequirements } from './session-list.ts';
import { promptTurnRequirements } from './prompt-turn.ts';
import { cancelRequestRequirements } from './cancel-request.ts';
import { toolCallsRequirements } from './tool-calls.ts';
import { permissionRequirements } from './permission.ts';
import { fileSystemRequirements } from './file-system.ts';
import { terminalsRequirements } from './terminals.ts';
import { contentRequirements } from './content.ts';
import { planRequirements } from './plan.ts';
import { modesRequirements } from './modes.ts';
import { configOptionsRequirements } from './config-options.ts';
import { slashCommandsRequirements } from './slash-commands.ts';
import { extensibilityRequirements } from './extensibility.ts';
import { elicitationRequirements } from './elicitation.ts';
import { noticesAndCompactionRequirements } from './notices-and-compaction.ts';
import { compatibilityRequirements } from './compatibility.ts';
import type { Requirement } from './requirement.ts';

/** Every requirement, in order. */
export const requirements: readonly Requirement[] = [
  ...framingRequirements,
  ...initializationRequirements,
  ...authenticationRequirements,
  ...sessionSetupRequirements,
  ...sessionListRequirements,
  ...promptTurnRequirements,
  ...cancelRequestRequirements,
  ...toolCallsRequirements,
  ...permissionRequirements,
  ...fileSystemRequirements,
  ...terminalsRequirements,
  ...contentRequirements,
  ...planRequirements,
  ...modesRequirements,
  ...configOptionsRequirements,
  ...slashCommandsRequirements,
  ...extensibilityRequirements,
  ...elicitationRequirements,
  ...noticesAndCompactionRequirements,
  ...compatibilityRequirements,
];
