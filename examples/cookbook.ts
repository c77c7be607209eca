// The code of the cookbook in the guide. `cookbook.test.ts` runs every part of it.
import { readFile, writeFile } from 'node:fs/promises';
import type { Turn } from '@turnwire/agent';
import { type Agent, approveAll, attachAgent, type HostFiles, type Session } from '@turnwire/client';
import {
  launchAgent,
  localFiles,
  localTerminals,
  mcpServersFor,
  promptContent,
  readMcpConfig,
} from '@turnwire/client/node';
import type { ContentBlock, ToolCallContent } from '@turnwire/protocol';
import { connectWebSocket } from '@turnwire/transports/websocket/node';

// #region agent-diff
export async function replaceInFile(turn: Turn, path: string, [from, to]: readonly [string, string]): Promise<void> {
  const oldText = await turn.files.read(path);
  const newText = oldText.replace(from, to);
  const tool = turn.tool({
    title: `Edit ${path}`,
    kind: 'edit',
    locations: [{ path }],
    content: [{ type: 'diff', path, oldText, newText }],
  });
  const { outcome } = await turn.askPermission(tool);
  if (outcome !== 'allowed') return tool.fail('Not allowed.');
  await turn.files.write(path, newText);
  await tool.complete();
}
// #endregion

// #region agent-command
export async function runTests(turn: Turn): Promise<void> {
  const tool = turn.tool({ title: 'npm test', kind: 'execute', rawInput: { command: 'npm test' } });
  const { exitCode, output } = await turn.commands.run(tool, { command: 'npm test', timeout: 60_000 });
  if (exitCode === 0) await tool.complete();
  else await tool.fail(`It ended with ${exitCode}.`, { exitCode, output });
}
// #endregion

// #region agent-image
export async function compareImages(turn: Turn, chart: Buffer): Promise<void> {
  const images = turn.prompt.filter((block) => block.type === 'image');
  await turn.say(
    `You sent ${images.length} of type ${images.map(({ mimeType }) => mimeType).join(', ')}. Here is mine:`,
  );
  await turn.say({ type: 'image', data: chart.toString('base64'), mimeType: 'image/png' });
}
// #endregion

/** The files of an editor, including unsaved text. */
export function filesOfEditor(unsaved: Map<string, string>): HostFiles {
  // #region client-files
  const files: HostFiles = {
    readTextFile: async ({ path }) => ({ content: unsaved.get(path) ?? (await readFile(path, 'utf8')) }),
    writeTextFile: async ({ path, content }) => {
      unsaved.delete(path);
      await writeFile(path, content);
      return {};
    },
  };
  // #endregion
  return files;
}

export async function launchWithHost(command: string, show: (line: string) => void): Promise<Agent> {
  // #region client-terminals
  const terminals = localTerminals();
  const agent = await launchAgent(command, { host: { files: localFiles(), terminals }, permission: approveAll });
  terminals.watch(({ command: line, output, exitStatus }) => {
    show(`$ ${line}\n${output}${exitStatus ? `(ended with ${exitStatus.exitCode})` : ''}`);
  });
  // #endregion
  return agent;
}

// #region client-diffs
export function changesOf(content: readonly ToolCallContent[]): readonly string[] {
  return content
    .filter((part) => part.type === 'diff')
    .map(({ path, oldText, newText }) => {
      const isNew = oldText === undefined || oldText === null;
      return `${path}: ${isNew ? 'new' : `${oldText.length} characters become`} ${newText.length}`;
    });
}
// #endregion

export async function askAboutImage(agent: Agent, session: Session, image: string): Promise<string> {
  // #region client-image
  const draft = { text: 'What is wrong in this picture?', attachments: [image] };
  const prompt: ContentBlock[] = await promptContent(draft, agent.capabilities.promptCapabilities ?? {});
  const { stopReason } = await session.prompt(prompt);
  // #endregion
  return stopReason;
}

export async function newSessionWithServers(agent: Agent, file: string): Promise<Session> {
  // #region client-mcp
  const configured = await readMcpConfig(file, { environment: process.env });
  const { servers, refused } = mcpServersFor(agent.capabilities.mcpCapabilities, configured);
  for (const { name, reason } of refused) console.warn(`${name}: ${reason}`);
  const session = await agent.newSession({ cwd: process.cwd(), mcpServers: servers });
  // #endregion
  return session;
}

export async function connectRemote(url: string, token: string): Promise<Agent> {
  // #region client-remote
  const headers = { authorization: `Bearer ${token}` };
  const agent = await attachAgent(connectWebSocket(url, { headers }), { permission: approveAll });
  // #endregion
  return agent;
}
