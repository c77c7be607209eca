import type { SlashCommand } from './slash-command.ts';

/** The commands every session has, in the order they are shown. */
export const slashCommands: readonly SlashCommand[] = [];
