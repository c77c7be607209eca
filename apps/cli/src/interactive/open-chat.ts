import type { HostElicitation } from '@turnwire/client';
import { scriptedElicitation } from '@turnwire/client/elicitation';
import type { McpServer, SessionConfigOption } from '@turnwire/protocol';
import { builtInAgentName } from '../built-in-agent.ts';
import { type AgentCommand, agentCommand } from '../driving/agent-command.ts';
import { answersOf } from '../driving/scripted-answers.ts';
import { mcpServersOf } from '../driving/session-setup.ts';
import { runTerminalLogin } from '../driving/terminal-login.ts';
import { explain } from '../failure.ts';
import { ChatSession } from '../sessions/chat-session.ts';
import { CommandSessions } from '../sessions/command-sessions.ts';
import type { GlobalOptions } from '../options.ts';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import type { AskUser } from '../questions/ask-user.ts';
import { plainElicitation } from '../questions/plain-elicitation.ts';
import { type KnownSession, knownSessions } from '../store/known-sessions.ts';
import { agentKey } from '../store/session-record.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Terminal } from '../terminal/lines.ts';
import type { Paint } from '../terminal/paint.ts';
import { promptsFile } from '../places.ts';
import { turnRecorder } from '../sessions/turn-recorder.ts';
import { version } from '../version.ts';
import { askPermission, elicitation } from './ask-user.ts';
import type { CommandActions } from './chat-actions.ts';
import type { ChatOpening, ChatOptions, ChosenSettings } from './chat-options.ts';
import { ChatRules } from './chat-rules.ts';
import { firstSteps } from './first-steps.ts';
import { InteractiveChat } from './interactive-chat.ts';
import { isUnguarded, optionSettings } from './session-choices.ts';
import { PlainChat } from './plain/plain-chat.ts';
import { askPermissionPlainly } from './plain/plain-questions.ts';

/** Opens a chat that draws on the screen. Rejects with CommandError if a file that the options name cannot be read. */
export async function openChat(
  options: GlobalOptions,
  terminal: Terminal,
  opening: ChatOpening = {},
): Promise<InteractiveChat> {
  const agent = await chatAgent(options, (message) => chat.note(message));
  const chat: InteractiveChat = new InteractiveChat(
    chatOptions(
      { options, terminal, agent, opening },
      {
        chat: () => chat,
        suspendUi: (work) => chat.suspendUi(work),
        ask: (view, signal) => askPermission(chat, view, signal),
        elicitation: elicitation(() => chat),
      },
    ),
  );
  return chat;
}

/** Opens a chat that prints each line once. Rejects as {@link openChat} does. */
export async function openPlainChat(
  options: GlobalOptions,
  terminal: Terminal,
  opening: ChatOpening = {},
): Promise<PlainChat> {
  const agent = await chatAgent(options, (message) => chat.note(message));
  const chat: PlainChat = new PlainChat(
    chatOptions(
      { options, terminal, agent, opening },
      {
        chat: () => chat,
        suspendUi: (work) => chat.suspendUi(work),
        ask: (view, signal) => askPermissionPlainly(chat, view, signal),
        elicitation: plainElicitation(() => chat),
      },
    ),
  );
  return chat;
}

/** The options for the agent of a chat. */
interface ChatAgent {
  readonly command: AgentCommand;
  readonly mcpServers: readonly McpServer[];
  /** Prepared answers to the agent's questions; undefined if the user is asked. */
  readonly prepared: HostElicitation | undefined;
}

async function chatAgent(options: GlobalOptions, onNotice: (message: string) => void): Promise<ChatAgent> {
  const { cwd, mcpConfig, config } = options;
  const command = await agentCommand(options, { getsMissing: true });
  const answers = await answersOf(options.answers);
  return {
    command,
    mcpServers: await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd),
    prepared: answers && scriptedElicitation(answers, ({ reason }) => onNotice(reason)),
  };
}

interface Opening {
  readonly options: GlobalOptions;
  readonly terminal: Terminal;
  readonly agent: ChatAgent;
  readonly opening: ChatOpening;
}

/** The dialogs for questions to the user. */
interface User {
  readonly chat: () => CommandActions;
  /** Suspends the UI during other work. */
  readonly suspendUi: (work: (signal: AbortSignal) => Promise<boolean>) => Promise<boolean>;
  readonly ask: AskUser;
  readonly elicitation: HostElicitation;
}

function chatOptions({ options, terminal, agent, opening }: Opening, user: User): ChatOptions {
  const { cwd, timeout, model, maxCost } = options;
  const { command, mcpServers, prepared } = agent;
  const { differences } = command;
  const say = (message: string): void => user.chat().say([cleanLine(message)]);
  requireEnforceablePolicy(differences, options.permission, cwd);
  const rules = new ChatRules(options, { differences, say });
  let hasLoggedIn = false;
  /** The agent's ids of the prompted sessions of this chat, by our session id. */
  const prompted = new Map<string, string>();
  const sessions = new CommandSessions({
    options,
    command,
    ...{ rules: rules.ofSession, recorder: turnRecorder(options.config) },
    recent: {
      usedBy: 'chat',
      onWritten: (session, id) => {
        prompted.set(id, session.sessionId);
        opening.onRecorded?.(session);
      },
    },
    agent: {
      mcpServers,
      retry: { attempts: 5 },
      terminalLogin: async (method) => {
        hasLoggedIn = await user.suspendUi((signal) => runTerminalLogin(method, { command, cwd, signal }));
        return hasLoggedIn;
      },
    },
    onProblem: say,
  });
  return {
    terminal,
    cwd,
    opening,
    agentName: options.agent === undefined ? options.agentName : cleanLine(options.agent),
    turnLimit: timeout,
    permissions: rules.permissions,
    differences,
    keptSessions: () => keptSessions(agent, cwd, prompted.get(user.chat().controller.conversation.sessionId ?? '')),
    promptsFile: promptsFile(cwd),
    ...{ settings: options.config.chat ?? {}, isQuiet: options.config.notifications === false },
    firstSteps: choosesNoModel(options) ? (transcript) => firstSteps(transcript, cwd) : undefined,
    banner: (paint) => bannerLines(rules.permissions.warnings, cwd, paint),
    open: (agentSessionId) => {
      const conversation = new ChatSession({
        begin: () => sessions.begin(agentSessionId),
        agentSessionId,
        limits: { ...(maxCost !== undefined && { cost: maxCost }) },
        ask: user.ask,
        elicitation: prepared ?? user.elicitation,
        onStopped: (message) => say(`(${message})`),
      });
      // A login of --auth runs while the session is created, and the agent detects it only after a restart.
      conversation.opened.catch(() => (hasLoggedIn ? user.chat().controller.restart() : undefined));
      if (model !== undefined) void chooseModel(conversation, model, say);
      if (agentSessionId === undefined && opening.chosen) void chooseAgain(conversation, opening.chosen, say);
      return conversation;
    },
    close: () => sessions[Symbol.asyncDispose](),
  };
}

function bannerLines(warnings: readonly string[], cwd: string, paint: Paint): readonly string[] {
  return [
    `${paint('bold', `turnwire ${version()}`)} in ${cwd}`,
    ...warnings.map((line) => paint('yellow', cleanLine(line))),
  ];
}

/** Whether the chat uses the built-in agent without a configured model. */
function choosesNoModel({ agent, agentName, model }: GlobalOptions): boolean {
  const isBuiltIn = agent === undefined && agentName === builtInAgentName;
  return isBuiltIn && model === undefined && (process.env['TURNWIRE_CODER_MODEL'] ?? '') === '';
}

async function keptSessions(
  { command }: ChatAgent,
  cwd: string,
  current: string | undefined,
): Promise<readonly KnownSession[]> {
  const known = await knownSessions();
  return known.filter(
    ({ sessionId, cwd: position, agent }) =>
      sessionId !== current && position === cwd && agentKey(agent) === agentKey(command.choice),
  );
}

/** Sets the model of the command line. If that fails, a message says so, and the chat continues. */
async function chooseModel(conversation: ChatSession, model: string, say: (message: string) => void): Promise<void> {
  if (!(await isSetUp(conversation))) return;
  const option = conversation.transcript.configOptions.find(
    ({ id, category }) => category === 'model' || id === 'model',
  );
  if (!option) return say(`the agent offers no choice of models, so --model ${model} cannot be used with it`);
  await conversation
    .setConfigOption(option.id, model)
    .catch((error: unknown) => say(explain(error, conversation.agent)));
}

/**
 * Applies the settings of the last chat in this folder. It skips settings that the agent no longer offers, and those that let it act without
 * asking, because an agent may have chosen these by itself.
 */
async function chooseAgain(
  conversation: ChatSession,
  { modeId, options }: ChosenSettings,
  say: (message: string) => void,
): Promise<void> {
  if (!(await isSetUp(conversation))) return;
  const { modes, currentModeId, configOptions } = conversation.transcript;
  const values = configOptions.filter(
    (option) =>
      options[option.id] !== undefined && options[option.id] !== option.currentValue && isGuarded(option, options),
  );
  const mode = modes.find(({ id, name, description }) => {
    return id === modeId && id !== currentModeId && !isUnguarded(name, description ?? '');
  });
  const failed = (error: unknown): void => say(explain(error, conversation.agent));
  for (const { id } of values) await conversation.setConfigOption(id, options[id] ?? '').catch(failed);
  if (mode) await conversation.setMode(mode.id).catch(failed);
  const names = [
    ...values.map(({ id, name }) => `${name} ${String(options[id])}`),
    ...(mode ? [`mode ${mode.name}`] : []),
  ];
  if (names.length > 0) say(`as last time in this folder: ${names.join(', ')}`);
}

function isGuarded(option: SessionConfigOption, { [option.id]: wanted }: ChosenSettings['options']): boolean {
  const chosen = optionSettings(option).choices.find(({ value }) => value.type === 'option' && value.value === wanted);
  return chosen !== undefined && !isUnguarded(`${option.name} ${chosen.label}`, chosen.detail);
}

/** Resolves with true once the session exists, which may require a login; with false if the chat ends first. */
async function isSetUp(conversation: ChatSession): Promise<boolean> {
  await conversation.opened.catch(() => undefined);
  return new Promise((resolve) => {
    const check = (): void => {
      const { name } = conversation.state;
      if (name !== 'ready' && name !== 'working' && name !== 'closed') return;
      stop();
      resolve(name !== 'closed');
    };
    const stop = conversation.onChange(check);
    check();
  });
}
