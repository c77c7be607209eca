import { places } from '../config/config-values.ts';
import { placeIn } from '../option-values.ts';
import { existsSync } from 'node:fs';
import { errorText } from '@turnwire/client/error-text';
import { exitCodes } from '../exit-codes.ts';
import { explain } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { imagesNamedBy, pathNamedBy } from './attachments.ts';
import { cancelWork } from './background.ts';
import { showChildren } from './child-lines.ts';
import type { CommandActions } from './chat-actions.ts';
import type { CommandName, CommandValue } from './completion/completion.ts';
import { explainCompact, showCost, writeInstructions } from './common-commands.ts';
import { forkChat, rewindChat } from './fork-chat.ts';
import { pickPermissions } from './pick-permissions.ts';
import { pickSession } from './pick-session.ts';
import { pickMode, pickModel, pickOption, valueOf } from './pick-setting.ts';
import { copyAnswer, exportChat } from './save-answers.ts';
import { modeSettings, optionSettings, optionsOf, optionValues } from './session-choices.ts';
import { showRunning } from './running-work.ts';
import { reviewChanges } from './review-changes.ts';
import { undoTurns } from './undo-turns.ts';
import { isStarting, whenStarted } from './when-started.ts';
import { agentEntries } from '../agents/agent-entries.ts';
import type { AgentEntry } from '../agents/agent-entry.ts';

interface OwnCommand extends CommandName {
  /** Set for a synonym of another command. The help mentions it with the other command. */
  readonly isOtherName?: true;
  /** Set if the command is the agent's, if it has one with this name. */
  readonly isOfAgent?: true;
  /** Set if many agents have a command with this name, which takes text: with text it is the agent's, if the agent has it. */
  readonly leavesTextToAgent?: true;
  run(chat: CommandActions, argument: string): void | Promise<void>;
  /** Set if the command uses the session, so that it waits until the agent has started. */
  readonly needsSession?: true;
  /** The allowed values of its argument. */
  readonly valuesOf?: (chat: CommandActions) => readonly CommandValue[];
}

const commands: readonly OwnCommand[] = [
  { name: 'help', description: 'list the keys and the commands', run: (chat) => chat.say(helpLines(chat)) },
  {
    name: 'mode',
    description: 'choose the agent’s mode from a list, or by name',
    run: pickMode,
    needsSession: true,
    valuesOf: ({ controller: { conversation } }) => modeSettings(conversation.transcript).choices.map(valueOf),
  },
  {
    name: 'model',
    description: 'choose the model from a list, or by name',
    run: pickModel,
    needsSession: true,
    valuesOf: ({ controller: { conversation } }) =>
      optionsOf(conversation.transcript, 'model').flatMap((option) => optionSettings(option).choices.map(valueOf)),
  },
  {
    name: 'config',
    description: 'show and set the options of the session',
    run: pickOption,
    needsSession: true,
    valuesOf: ({ controller: { conversation } }) =>
      optionValues(conversation.transcript).map(({ choice }) => valueOf(choice)),
  },
  { name: 'agent', description: 'continue with another agent, from a list or by name', run: pickAgent },
  { name: 'permissions', description: 'show and change approval and its rules', run: pickPermissions },
  { name: 'sessions', description: 'continue an earlier session', run: pickSession },
  {
    name: 'new',
    description: 'start a new session, here or in a place of its own',
    run: startNew,
    valuesOf: () => places.map((name) => ({ name, description: placeTexts[name] })),
  },
  {
    name: 'fork',
    description: 'continue in a copy of the session, and keep this one unchanged',
    run: forkChat,
    needsSession: true,
  },
  {
    name: 'rewind',
    description: 'continue from before a turn, with or without its changes to files',
    run: rewindChat,
    needsSession: true,
  },
  {
    name: 'review',
    description: 'accept or reject what agents changed in this folder, by file or by hunk',
    run: reviewChanges,
    leavesTextToAgent: true,
  },
  {
    name: 'undo',
    description: 'take back what the last turn changed in the files, or several turns',
    hint: 'TURNS',
    run: undoTurns,
    isOfAgent: true,
    needsSession: true,
  },
  {
    name: 'compact',
    description: 'have the agent summarize the conversation so far, if it can',
    run: explainCompact,
    isOfAgent: true,
    needsSession: true,
  },
  { name: 'cost', description: 'show context, tokens, time and cost', run: showCost, isOfAgent: true },
  {
    name: 'init',
    description: 'have the agent write AGENTS.md, the instructions for agents',
    hint: 'WHAT MATTERS',
    run: writeInstructions,
    isOfAgent: true,
    needsSession: true,
  },
  {
    name: 'copy',
    description: 'copy the last answer, or the last code in it',
    run: copyAnswer,
    needsSession: true,
    valuesOf: () => [{ name: 'code', description: 'the last block of code' }],
  },
  {
    name: 'export',
    description: 'write the session to a file: .md, .html or .json',
    hint: 'FILE',
    run: exportChat,
    needsSession: true,
  },
  {
    name: 'cancel',
    description: 'cancel a single call, terminal or child session of the agent',
    run: cancelWork,
    needsSession: true,
  },
  {
    name: 'running',
    description: 'list what runs and waits, and the other sessions: cancel, take back, look at or switch to one',
    run: showRunning,
  },
  { name: 'tasks', description: 'list what runs', isOtherName: true, run: showRunning },
  {
    name: 'children',
    description: 'show the subagents of the session',
    run: async (chat) => showChildren(chat),
    needsSession: true,
  },
  { name: 'image', description: 'attach an image to the next prompt', hint: 'PATH', run: attachImage },
  { name: 'thoughts', description: 'show or hide the agent’s thoughts', run: (chat) => chat.toggleThoughts() },
  { name: 'transcript', description: 'show everything so far, in full', run: (chat) => chat.showTranscript() },
  { name: 'unfold', description: 'choose a call and show it in full', run: (chat) => chat.showCalls() },
  { name: 'login', description: 'log in to the agent', run: pickLogin, needsSession: true },
  {
    name: 'restart',
    description: 'restart an agent that ended or does not answer, with its session',
    run: (chat) => chat.controller.restart(),
  },
  { name: 'exit', description: 'leave the chat; so does /quit', run: (chat) => chat.controller.leave(exitCodes.ok) },
  {
    name: 'quit',
    description: 'leave the chat',
    isOtherName: true,
    run: (chat) => chat.controller.leave(exitCodes.ok),
  },
];

/** The commands of the chat and of the agent. */
export function commandNames(chat: CommandActions): readonly CommandName[] {
  const { conversation } = chat.controller;
  const named = new Set(conversation.transcript.commands.map(({ name }) => name));
  const owned = commands.filter(({ name, isOfAgent }) => !isOfAgent || !named.has(name));
  const own = new Set(owned.map(({ name }) => name));
  const theirs = conversation.transcript.commands
    .filter(({ name }) => !own.has(name))
    .map(({ name, description, input }) => ({ name, description, hint: input ? (input.hint ?? 'more') : undefined }));
  const ours = owned.map(({ name, description, hint, valuesOf }) => ({
    name,
    description,
    hint,
    values: valuesOf && (() => valuesOf(chat)),
  }));
  return [...ours, ...theirs];
}

/** Runs a text as a command of the chat. Returns false if it is not one, so it is for the agent. */
export function runCommand(chat: CommandActions, text: string): boolean {
  const [, name, argument = ''] = /^\/(\S+)\s*([^]*)$/.exec(text.trim()) ?? [];
  const command = commands.find((each) => each.name === name);
  if (!command || isForAgent(chat, command, argument)) return false;
  void runNoting(chat, command, argument.trim());
  return true;
}

/** Runs a command. The user sees why it failed, and the chat continues. */
async function runNoting(chat: CommandActions, command: OwnCommand, argument: string): Promise<void> {
  try {
    if (command.needsSession && isStarting(chat.controller.conversation)) await runLater(chat, command, argument);
    else await command.run(chat, argument);
  } catch (error) {
    chat.note(`/${command.name} failed: ${explain(error)}`);
  }
}

function isForAgent(
  chat: CommandActions,
  { name, isOfAgent, leavesTextToAgent }: OwnCommand,
  argument: string,
): boolean {
  return (isOfAgent || (leavesTextToAgent && argument.trim() !== '') || false) && hasCommand(chat, name);
}

/** Whether the agent has a command with a name. */
function hasCommand({ controller }: CommandActions, name: string): boolean {
  return controller.conversation.transcript.commands.some((each) => each.name === name);
}

/** Runs a command once the agent has started, unless the chat has switched to another session by then. */
async function runLater(chat: CommandActions, command: OwnCommand, argument: string): Promise<void> {
  const { conversation } = chat.controller;
  chat.note(`/${command.name} waits until the agent is ready`);
  await whenStarted(conversation);
  if (chat.controller.conversation !== conversation || conversation.state.name === 'closed') return;
  if (isForAgent(chat, command, argument)) chat.controller.send(`/${command.name} ${argument}`.trim());
  else await command.run(chat, argument);
}

/** The name of an unknown command in a text; undefined if the command is known or the text is not a command. */
export function unknownCommand(chat: CommandActions, text: string): string | undefined {
  const name = /^\/([\w:-]+)(?:\s|$)/u.exec(text.trim())?.[1];
  return name === undefined || commandNames(chat).some((each) => each.name === name) ? undefined : name;
}

async function pickLogin(chat: CommandActions): Promise<void> {
  const { conversation } = chat.controller;
  const methods = conversation.agent?.authMethods ?? [];
  if (methods.length === 0) return chat.note('the agent offers no way to log in');
  const choices = methods.map(({ id, name, description }) => ({
    label: cleanLine(name),
    detail: cleanLine(description ?? ''),
    value: id,
  }));
  const id = await chat.choose({ title: 'Log in', choices });
  if (id === undefined) return;
  chat.note('logging in …');
  try {
    await conversation.authenticate(id);
    chat.note('logged in');
  } catch (error) {
    // Omit the advice to log in, and show only why this login failed.
    chat.note(`not logged in: ${errorText(error)}`);
  }
}

function attachImage(chat: CommandActions, argument: string): void {
  if (argument === '') return chat.note('give the path: /image PATH');
  const paths = imagesNamedBy(argument, chat.controller.cwd);
  if (paths.length > 0) return chat.controller.attachments.add(...paths);
  const exists = existsSync(pathNamedBy(argument, chat.controller.cwd));
  const name = cleanLine(argument);
  chat.note(
    exists
      ? `${name} is not an image file (.png, .jpg, .gif or .webp); @${name} sends other files`
      : `there is no file ${name}`,
  );
}

function helpLines(chat: CommandActions): string[] {
  const others = new Set(commands.flatMap(({ name, isOtherName }) => (isOtherName ? [name] : [])));
  const names = commandNames(chat).filter(({ name }) => !others.has(name));
  const widest = Math.min(18, Math.max(...names.map(({ name }) => name.length)));
  return [
    'Type a prompt. @ names a file, / begins a command.',
    ...chat.keys.map(([key, does]) => `  ${key.padEnd(widest + 2)} ${does}`),
    ...names.map(({ name, description }) => `  ${`/${cleanLine(name)}`.padEnd(widest + 2)} ${cleanLine(description)}`),
  ];
}

/** The keys of a chat that draws on the screen. */
export const keysHelp: CommandActions['keys'] = [
  ['Enter', 'send; while a turn runs, queue the prompt; once more, send it into the turn'],
  ['Alt-Enter', 'a new line; so do Ctrl-J, and \\ before Enter'],
  ['Esc, Ctrl-C', 'stop the turn; queued prompts return to the editor'],
  ['Esc Esc', 'without a turn: go back to an earlier prompt and edit it'],
  ['Up', 'edit the last queued prompt, or an earlier one'],
  ['Ctrl-G', 'write the prompt in the editor that VISUAL or EDITOR names'],
  ['Ctrl-V', 'attach the image in the clipboard'],
  ['! COMMAND', 'run a command; its output is sent with the next prompt; ! alone opens your shell'],
  ['!! COMMAND', 'run a command with the terminal, for programs that need input'],
  ['Ctrl-O', 'show the whole transcript, to scroll and search'],
  ['Tab', 'at an empty prompt: choose a call with ↑↓, and unfold it with Enter'],
  ['Ctrl-X', 'list what runs and waits, and the other sessions'],
  ['Ctrl-T', 'show or hide thoughts'],
  ['Shift-Tab', 'switch to the next mode of the agent'],
  ['Ctrl-R', 'search the earlier prompts, also those of earlier chats'],
  ['Ctrl-D', 'leave'],
];

const placeTexts: Readonly<Record<(typeof places)[number], string>> = {
  here: 'in the folder of the project',
  worktree: 'in a new worktree with a branch of its own',
  clone: 'in a new clone with a branch of its own',
  copy: 'in a new copy with all files',
};

/** Starts a new session: in the folder of the chat, or in a place, with `--place` before its kind or without. */
function startNew(chat: CommandActions, wanted: string): void {
  const word = wanted.replace(/^--place[ =]/, '').trim();
  if (word === '') return chat.controller.switchTo(undefined);
  try {
    chat.controller.changePlace(placeIn(word));
  } catch (error) {
    chat.note((error as Error).message);
  }
}

/** Switches to another agent in a new session, from a list or by name. */
async function pickAgent(chat: CommandActions, wanted: string): Promise<void> {
  const entries = (await agentEntries(chat.controller.cwd)).filter(isUsable);
  if (wanted !== '' && !entries.some(({ name }) => name === wanted))
    return chat.note(
      `there is no agent ${cleanLine(wanted)} here; there are: ${entries.map(({ name }) => name).join(', ')}`,
    );
  const choices = [...entries.filter(isHere), ...entries.filter((entry) => !isHere(entry))].map((entry) => ({
    label: cleanLine(entry.name),
    detail: isHere(entry) ? 'installed' : 'can be downloaded with npx',
    value: entry.name,
  }));
  const name = wanted === '' ? await chat.choose({ title: 'Agent', choices }) : wanted;
  if (name !== undefined) chat.controller.changeAgent(name);
}

/** Whether an agent can start, possibly after a download. */
function isUsable(entry: AgentEntry): boolean {
  return entry.isAccepted !== false && (isHere(entry) || entry.fetching !== undefined);
}

function isHere({ path, lacks }: AgentEntry): boolean {
  return path !== undefined && lacks === undefined;
}
