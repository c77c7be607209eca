import type { SlashCommand } from './slash-command.ts';

/** `/init`: lets the model write the project's instructions for agents. */
export const initCommand: SlashCommand = {
  name: 'init',
  description: 'Write AGENTS.md: what agents have to know about this project',
  hint: '[what to pay attention to]',
  run: async (_turn, argument) => ({
    prompt: [{ type: 'text', text: argument === '' ? task : `${task}\n\nPay attention to this: ${argument}` }],
  }),
};

const task = `Write AGENTS.md at the top of the working directory: what somebody who works on this project for the first time has to know and cannot see at a glance.

Look first: the README and other documents, the manifests and the configuration of build, tests, lint and continuous integration, the folders and a few typical files. If there is an AGENTS.md, or instructions for other agents, keep what is right and repair the rest.

It holds, as far as it applies:
- the commands to build, to check and to test, also a single test, as they really are
- where what is, and where a change of which kind goes
- rules of the code that no tool enforces
- traps

Write what you have seen, and nothing you guess. Nothing that holds for every project. At most 60 lines of Markdown.`;
