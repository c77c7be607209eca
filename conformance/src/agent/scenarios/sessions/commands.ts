import { mkdir } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { at, objectsIn, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentContext, inSession } from '../../agent-context.ts';
import { seeFolder } from '../../fixtures/command-folder.ts';
import type { Session } from '../../session.ts';

/** How long to wait for the list of commands, in milliseconds. */
const listTimeout = 3_000;

/** Commands that change nothing, as well-known agents name them. */
const harmless = ['help', 'about', 'version', 'status', 'usage', 'context', 'cost', 'stats', 'mcp', 'model'];

/** The folder in which commands of a session run, and slash commands. */
export const commandScenarios: AgentScripts = {
  'command-folder/own': async (context) => seeFolderIn(context, 'R080', {}),
  'command-folder/terminal': async (context) => seeFolderIn(context, 'R080', {}),
  'command-folder/own-with-further-folder': seeFolderWithAdditional,
  'command-folder/terminal-with-further-folder': seeFolderWithAdditional,
  'command-folder/two-sessions': inSession(async (session, context) => {
    const cwd = context.path('..', 'second-root');
    await mkdir(cwd);
    await session.agent.trySession({ cwd });
    await seeFolder(context, session, 'R080');
  }),
  'commands/link': inSession(async (session, context) => {
    const command = `/${await harmlessCommand(session)}`;
    const text = { type: 'text', text: command };
    const { words } = await session.prompt([text]);
    if (words.trim() === '') throw new Stopped(`${command} prints nothing`);
    if ((await session.prompt([text])).words !== words)
      throw new Stopped(`${command} prints something different each time`);
    const uri = pathToFileURL(context.path('quince.txt')).href;
    const linked = await session.prompt([text, { type: 'resource_link', uri, name: 'quince.txt' }]);
    const isKnown = linked.words.includes(words.trim().split('\n', 1)[0] ?? '');
    const fault = `${command} with a resource link after it is not handled as the command`;
    context.see.check('R278', !isKnown && fault, linked.entries);
  }),
};

async function seeFolderWithAdditional(context: AgentContext): Promise<void> {
  const additional = context.path('..', 'second-root');
  await mkdir(additional);
  await seeFolderIn(context, 'R081', { additionalDirectories: [additional] });
}

async function seeFolderIn(context: AgentContext, requirement: RequirementId, changes: RawMessage): Promise<void> {
  const agent = await context.ready();
  if (changes['additionalDirectories'] !== undefined) agent.expectOffered('sessionCapabilities.additionalDirectories');
  await seeFolder(context, await agent.trySession(changes), requirement);
}

async function harmlessCommand({ wire, setup }: Session): Promise<string> {
  const kind = 'available_commands_update';
  const announced = await wire.next(({ params }) => at(params, 'update', 'sessionUpdate') === kind, {
    within: listTimeout,
  });
  // In version 2 the answer that opens the session may have them too.
  const list = at(announced?.message, 'params', 'update', 'availableCommands') ?? setup['availableCommands'];
  if (list === undefined) throw new Stopped('the agent announces no slash commands');
  const commands = objectsIn(list);
  const known = harmless.find((name) => commands.some((command) => command['name'] === name));
  if (known === undefined) throw new Stopped('none of the slash commands is known to be harmless');
  return known;
}
