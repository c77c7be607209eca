/** How the user starts this command, for a line to type: by its name, or as `npm start` of a clone says, which installs no such command. */
export function commandName(): string {
  return process.env['TURNWIRE_STARTED_AS'] || 'turnwire';
}
