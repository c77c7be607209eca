/**
 * Words that users may type after `turnwire` because they expect a command of that name, now or later. An agent of a project cannot have
 * such a name: a user who wants to log in must not start a program of the folder.
 */
const words: ReadonlySet<string> = new Set(
  [
    'about account agent agents ask attach auth build cancel chat check clean clone commands completion config configure connect console create',
    'daemon debug delete deploy dev diff disconnect doctor edit env exec exit export feedback fix format get hello help hi history import info init',
    'install join kill lint list log login logout logs ls mcp menu model models mode new open permissions ping place places plan plugin plugins preview process',
    'prompt ps publish pull push quit read remove reset restart resume rm run search serve server session sessions set settings setup share shell',
    'show sign-in signin sign-out signout start stats status stop switch sync test tool tools trace tui ui undo uninstall update upgrade usage',
    'use user version view watch web whoami',
  ].flatMap((line) => line.split(' ')),
);

/** Whether users may type a word as a command. */
export function isReserved(word: string): boolean {
  return words.has(word.toLowerCase());
}

/** Whether an agent of a project may have this name: letters, digits, dots, dashes and underscores, and not a reserved word. */
export function mayNameAgent(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,63}$/.test(name) && !isReserved(name);
}
