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
import { promptFileCommand } from './prompt-file-command.ts';
import type { SlashCommand } from './slash-command.ts';
import { undoCommand } from './undo.ts';
import { usageCommand } from './usage.ts';

/** The commands of every session, in the order they are listed. */
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

/** The current commands of a session: ours, those in files, those of MCP servers. Of two with one name the first one is used. */
export function commandsOf({ memory }: CoderSession): readonly SlashCommand[] {
  const all = [...slashCommands, ...memory.promptFiles.map(promptFileCommand), ...memory.mcp.commands];
  return all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at);
}

/** The current commands of a session, as its client gets them. */
export function availableCommands(session: CoderSession): readonly AvailableCommand[] {
  return commandsOf(session).map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }));
}
