import { anyOf, list, nullable, object, optional, required, string } from './language.ts';

export const UnstructuredCommandInput = object('Whatever is typed after the command’s name.', {
  hint: required(string, 'What to show while nothing is typed yet.'),
});

export const AvailableCommandInput = anyOf('What a command takes.', UnstructuredCommandInput);

export const AvailableCommand = object('A slash command of the agent: a prompt that starts with `/` and its name runs it.', {
  name: required(string, 'Its name, without the slash.'),
  description: required(string, 'What it does, for the user.'),
  input: optional(nullable(AvailableCommandInput), 'What it takes. Absent or `null`: nothing.').orAbsent(),
});

export const AvailableCommandsUpdate = object('The commands there are have changed.', {
  availableCommands: required(list(AvailableCommand), 'All of them as they are now.').orEmpty().withoutBadItems(),
});
