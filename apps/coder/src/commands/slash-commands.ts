import type { AvailableCommand, ContentBlock } from '@turnwire/protocol';
import type { CoderSession, CoderTurn } from '../session/session-memory.ts';
import { compactCommand } from './compact.ts';
import { mcpCommand } from './mcp.ts';
import { modelCommand } from './model.ts';
import { permissionsCommand } from './permissions.ts';
import type { SlashCommand } from './slash-command.ts';
import { undoCommand } from './undo.ts';
import { usageCommand } from './usage.ts';
import { modes } from '../modes/modes.ts';
import type { PromptFile } from '../prompt-files/find-prompt-files.ts';

/** The current commands of a session: ours, those in files, those of MCP servers. Of two with one name the first one is used. */
export function commandsOf({ memory }: CoderSession): readonly SlashCommand[] {
  const all = [...slashCommands, ...memory.promptFiles.map(promptFileCommand), ...(memory.mcp?.commands ?? [])];
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

/** `/help`: lists the commands. */
const helpCommand: SlashCommand = {
  name: 'help',
  description: 'List the commands',
  run: async (turn) => {
    const lines = commandsOf(turn.session).map(
      ({ name, hint, description }) => `- \`/${name}${hint === undefined ? '' : ` ${hint}`}\`: ${description}`,
    );
    await turn.say(`${lines.join('\n')}\n\nEvery other prompt goes to the model.`);
  },
};

/** `/init`: lets the model write the project's instructions for agents. */
const initCommand: SlashCommand = {
  name: 'init',
  description: 'Write AGENTS.md: what agents have to know about this project',
  hint: '[what to pay attention to]',
  run: async (_turn, argument) => ({
    prompt: [{ type: 'text', text: argument === '' ? task : `${task}\n\nPay attention to this: ${argument}` }],
  }),
};

const task = `Write AGENTS.md at the top of the working directory: what a newcomer to this project has to know and cannot see at a glance.

Look first: the README and other documents, the manifests and the configuration of build, tests, lint and continuous integration, the folders and a few typical files. If there is an AGENTS.md, or instructions for other agents, keep what is right and repair the rest.

It holds, as far as it applies:
- the commands to build, to check and to test, also a single test, as they really are
- where things are, and where each kind of change belongs
- rules of the code that no tool enforces
- traps

Write what you have seen, and nothing you guess. Leave out what applies to every project. At most 60 lines of Markdown.`;

/** `/plan`: switches to the mode architect, with a task to plan. */
const planCommand: SlashCommand = {
  name: 'plan',
  description: 'Work out a plan before anything is changed (mode architect)',
  hint: '[what to plan]',
  run: async (turn) => {
    await turn.session.setMode('architect');
    const prompt = promptAfterCommand(turn.prompt);
    if (prompt.length > 0) return { prompt };
    await turn.say('The mode is now **Architect**: I read and plan, and change nothing. What should I plan?');
    return undefined;
  },
};

/** A prompt without the command it begins with; attachments stay. */
function promptAfterCommand([first, ...rest]: readonly ContentBlock[]): readonly ContentBlock[] {
  if (first?.type !== 'text') return rest;
  const text = first.text.replace(/^\s*\/\S+\s*/u, '');
  return text === '' ? rest : [{ ...first, text }, ...rest];
}

/** `/mode`: shows the modes, or switches to one. */
const modeCommand: SlashCommand = {
  name: 'mode',
  description: 'Show the modes, or switch to one',
  hint: '[ask | code | architect]',
  run: async (turn, argument) => {
    if (argument === '') return turn.say(listing(turn));
    const mode = modes.find(({ id, name }) => id === argument.toLowerCase() || name === argument);
    if (!mode) return turn.say(`There is no mode ${JSON.stringify(argument)}.\n\n${listing(turn)}`);
    await turn.session.setMode(mode.id);
    await turn.say(`The mode is now **${mode.name}**. ${mode.description}.`);
  },
};

function listing({ session }: CoderTurn): string {
  const lines = modes.map(
    ({ id, description }) => `- \`${id}\`${id === session.modeId ? ' (now)' : ''}: ${description}`,
  );
  return `${lines.join('\n')}\n\n\`/mode NAME\` switches to one of them.`;
}

/** A prompt file as a command: sends its text to the model, with the argument filled in. */
function promptFileCommand({ name, description, hint, shown, isSkill, read }: PromptFile): SlashCommand {
  return {
    name,
    description,
    hint,
    run: async (_turn, argument) => {
      const text = withArgument(await read(), argument);
      const source = isSkill ? `Use the skill ${name}. The files it names are in the folder of ${shown}.\n\n` : '';
      return { prompt: [{ type: 'text', text: `${source}${text}` }] };
    },
  };
}

/** Replaces `$ARGUMENTS` with the argument and `$1` to `$9` with its words. A text without placeholders gets the argument at its end. */
function withArgument(text: string, argument: string): string {
  const words = argument.split(/\s+/);
  const filled = text.replaceAll(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_, which: string) =>
    which === 'ARGUMENTS' ? argument : (words[Number(which) - 1] ?? ''),
  );
  return filled === text && argument !== '' ? `${text}\n\n${argument}` : filled;
}

/** The commands of every session, in the order they are listed. */
const slashCommands: readonly SlashCommand[] = [
  helpCommand,
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
