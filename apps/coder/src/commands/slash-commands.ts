import type { AvailableCommand } from '@turnwire/protocol';
import type { CoderSession } from '../session/session-memory.ts';
import { compactCommand } from './compact.ts';
import { helpCommand } from './help.ts';
import { initCommand } from './init.ts';
import { mcpCommand } from './mcp.ts';
import { modeCommand } from './mode.ts';
import { modelCommand } from './model.ts';
import { permissionsCommand } from './permissions.ts';
import { planCommand } from './plan.ts';
import type { SlashCommand } from './slash-command.ts';
import { undoCommand } from './undo.ts';
import { usageCommand } from './usage.ts';

/** The commands every session has, in the order they are shown. */
const slashCommands: readonly SlashCommand[] = [
  helpCommand(commandsOf),
  modelCommand,
  modeCommand,
  planCommand,
  undoCommand,
  compactCommand,
  usageCommand,
  permissionsCommand,
  mcpCommand,
  initCommand,
];

/** The commands a session has now. Of two with one name the first counts. */
export function commandsOf({ memory }: CoderSession): readonly SlashCommand[] {
  return [...slashCommands, ...memory.mcp.commands];
}

/** The commands a session has now, as its client is told of them. */
export function availableCommands(session: CoderSession): readonly AvailableCommand[] {
  return commandsOf(session).map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }));
}
