import { mkdir, realpath } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { at, objectsIn, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentStage, inSession } from '../../agent-stage.ts';
import { expectDone } from '../../pieces/preconditions.ts';
import type { Session } from '../../session.ts';

/** Milliseconds that the list of commands is waited for. */
const patience = 3_000;

/** Read-only commands, of any agent. */
const harmless = ['help', 'about', 'version', 'status', 'usage', 'context', 'cost', 'stats', 'mcp', 'model'];

/** The folder in which commands of a session run, and how slash commands are run. */
export const commandScenarios: AgentScripts = {
  'command-folder/own': async (stage) => seeFolder(stage, 'R080', {}),
  'command-folder/terminal': async (stage) => seeFolder(stage, 'R080', {}),
  'command-folder/own-with-further-folder': seeFolderBesideFurther,
  'command-folder/terminal-with-further-folder': seeFolderBesideFurther,
  'commands/link': inSession(async (session, stage) => {
    const command = `/${await harmlessCommand(session)}`;
    const text = { type: 'text', text: command };
    const { words } = await session.prompt([text]);
    if (words.trim() === '') throw new Stopped(`${command} says nothing`);
    if ((await session.prompt([text])).words !== words) throw new Stopped(`${command} says something else each time`);
    const uri = pathToFileURL(stage.path('quince.txt')).href;
    const beside = await session.prompt([text, { type: 'resource_link', uri, name: 'quince.txt' }]);
    const isKnown = beside.words.includes(words.trim().split('\n', 1)[0] ?? '');
    const fault = `${command} with a link beside it is not answered as it is alone`;
    stage.see.check('R278', !isKnown && fault, beside.entries);
  }),
};

async function seeFolderBesideFurther(stage: AgentStage): Promise<void> {
  const further = stage.path('..', 'second-root');
  await mkdir(further);
  await seeFolder(stage, 'R081', { additionalDirectories: [further] });
}

async function seeFolder(stage: AgentStage, requirement: RequirementId, changes: RawMessage): Promise<void> {
  const agent = await stage.ready();
  if (changes['additionalDirectories'] !== undefined) agent.expectOffered('sessionCapabilities.additionalDirectories');
  const session = await agent.trySession(changes);
  // By its whole path, so that it is found wherever the command ran.
  const turn = await session.does('run', { command: `pwd > ${stage.path('where.txt')}` });
  const where = (await stage.textOf('where.txt'))?.trim() ?? '';
  expectDone(where !== '', 'run a command');
  const isElsewhere = (await realpath(where).catch(() => where)) !== stage.folder;
  const fault = `the command ran in ${where}, not in the working directory ${stage.folder}`;
  stage.see.check(requirement, isElsewhere && fault, turn.asked('terminal/create'), turn);
}

async function harmlessCommand({ wire }: Session): Promise<string> {
  const kind = 'available_commands_update';
  const announced = await wire.next(({ params }) => at(params, 'update', 'sessionUpdate') === kind, {
    within: patience,
  });
  if (announced === undefined) throw new Stopped('the agent announces no commands');
  const commands = objectsIn(at(announced.message, 'params', 'update', 'availableCommands'));
  const known = harmless.find((name) => commands.some((command) => command['name'] === name));
  if (known === undefined) throw new Stopped('none of the commands is known to change nothing');
  return known;
}
