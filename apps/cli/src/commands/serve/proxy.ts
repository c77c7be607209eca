import type { FrameTap } from '@turnwire/client';
import { Gateway } from '@turnwire/gateway';
import { type HostedAgent, sqliteStore } from '@turnwire/runtime';
import { serveStdio } from '@turnwire/transports/stdio';
import { type AgentCommand, agentCommand, commandOfWords } from '../../driving/agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import { hostedAgent } from '../../sessions/hosted-agent.ts';
import { refuseTurnOptions, sessionDefaults } from '../../sessions/session-defaults.ts';
import { spendingOf, userMetering } from '../../sessions/metering.ts';
import { sessionRules } from '../../sessions/session-rules.ts';
import { TraceFiles, tracedAgent } from '../../sessions/traced-agent.ts';
import { ownPlaces } from '../../own-places/own-places.ts';
import { turnRecorder } from '../../sessions/turn-recorder.ts';
import type { GlobalOptions } from '../../options.ts';
import { shownCommand } from '../../shown-command.ts';
import { sessionsDatabase } from '../../store/sessions-database.ts';
import { localTenant } from '../../store/named-session.ts';

/**
 * Runs an agent on stdin and stdout for a client that starts it. The sessions are stored here, and our rules are applied before the client
 * is asked for permission. Resolves with the exit code when the client disconnects.
 */
export async function proxy(words: readonly string[], options: GlobalOptions): Promise<number> {
  refuseTurnOptions('proxy', options);
  const command = await proxiedAgent(words, options);
  const admit = await sessionDefaults(options);
  const name = 'name' in command.choice ? command.choice.name : shownCommand(command.words);
  const rules = sessionRules(options.permission, {
    differences: () => command.differences,
    ...(options.verbose && { warn: warn }),
  });
  const store = sqliteStore({ path: sessionsDatabase() });
  const { fs: files, terminal: terminals, auth, authPolicy, trace } = options;
  const make = (tap?: FrameTap): HostedAgent => hostedAgent(command, { files, terminals, auth, authPolicy, tap });
  const traces = trace === undefined ? undefined : new TraceFiles(trace);
  const agents = { [name]: tracedAgent(make, { files: traces, env: command.env }) };
  const gateway = new Gateway({
    store,
    agents,
    cwd: options.cwd,
    rules,
    admit,
    metering: userMetering(spendingOf(options.config)),
    recorder: turnRecorder(options.config),
    placeOf: (cwd) => ownPlaces().at(cwd),
  });
  const principal = { tenant: localTenant, scope: 'admin', isOwner: true } as const;
  const { error } = await gateway.attach(serveStdio(), { principal, agent: name }).closed;
  await gateway.close();
  await store.close();
  if (!error) return exitCodes.ok;
  warn(`the connection to the client broke: ${error.message}`);
  return exitCodes.error;
}

async function proxiedAgent(words: readonly string[], options: GlobalOptions): Promise<AgentCommand> {
  if (words.length === 0) return agentCommand(options);
  if (options.agent !== undefined)
    throw new CommandError(`name one agent, not ${options.agent} and ${shownCommand(words)}`, exitCodes.usage);
  return commandOfWords(words, options);
}
