import type { AgentProcess } from '../launch/agent-process.ts';
import { agentEnvironment, inheritedVariables } from '../launch/environment.ts';
import { processTransport } from '../launch/process-transport.ts';
import { FindingCleaner } from './clean-finding.ts';
import { type Examined, type ExamineOptions, examinationTimeouts } from './examine-options.ts';
import { type ExaminedLayer, type Finding, notReached, processLayers } from './finding.ts';
import { findCommand, startProcess } from './layers/command.ts';
import { describeDeparture } from './layers/exit.ts';
import { initializeAgent, noiseSoFar } from './layers/initialize.ts';
import { tryMcpServers } from './layers/mcp.ts';
import { openSession } from './layers/session.ts';
import { takeTurn } from './layers/turn.ts';
import { rethrowIfEnded } from './reason.ts';
import { Subject } from './subject.ts';

/**
 * Runs an agent through everything a client needs, and reports findings as they occur: first whether the program exists, last how it exits.
 * Layers after the first failure are `skipped`, and the process is always ended. Sessions it creates are deleted again where the agent
 * supports it. Every wait is bounded by `timeouts`.
 * ```ts
 * for await (const { verdict, layer, message, advice } of examineAgent('my-agent --acp')) console.log(verdict, layer, message, advice);
 * ```
 * @param command a command line, split like a shell would but never run by one, or the words themselves
 * @throws TurnwireError `cancelled` when the signal aborts. Everything else is a finding.
 */
export async function* examineAgent(
  command: string | readonly string[],
  options: ExamineOptions = {},
): AsyncGenerator<Finding, undefined> {
  const cleaner = new FindingCleaner(Object.values(options.env ?? {}));
  for await (const finding of examination(command, options)) yield cleaner.clean(finding);
}

async function* examination(
  command: string | readonly string[],
  options: ExamineOptions,
): AsyncGenerator<Finding, undefined> {
  const patterns = [...inheritedVariables, ...(options.inheritEnv ?? [])];
  const context = { cwd: options.cwd ?? process.cwd(), env: agentEnvironment(process.env, patterns, options.env) };
  const words = yield* findCommand(command, context);
  const started = words && (yield* startProcess(words, context));
  if (words === undefined || started === undefined) {
    return yield* skippedLayers(processLayers, words === undefined ? 'launch' : 'noise', options);
  }
  yield* examineProcess(started, { ...options, cwd: context.cwd, command: words });
}

async function* examineProcess(started: AgentProcess, options: Examined): AsyncGenerator<Finding, undefined> {
  const subject = new Subject(
    { transport: processTransport(started), process: started },
    { ...examinationTimeouts, ...options.timeouts },
    options.versions,
  );
  yield* examineAttached(subject, options, processLayers);
  yield* noiseSoFar(subject, 'Later');
  const departure = await subject.end();
  if (departure !== undefined) yield* describeDeparture(departure);
}

/** Examines an agent from `initialize` on, and ends it. */
export async function* examineAttached(
  subject: Subject,
  options: Examined,
  layers: readonly ExaminedLayer[],
): AsyncGenerator<Finding, undefined> {
  try {
    for await (const finding of examineConnection(subject, options, layers)) {
      yield finding;
      yield* subject.watch.takeViolations(finding.layer);
    }
    rethrowIfEnded(undefined, options.signal);
  } finally {
    await subject.end();
  }
  yield* subject.watch.takeViolations('exit');
}

async function* examineConnection(
  subject: Subject,
  options: Examined,
  layers: readonly ExaminedLayer[],
): AsyncGenerator<Finding, undefined> {
  const beforeExit = layers.filter((layer) => layer !== 'exit');
  if (!(yield* initializeAgent(subject, options))) return yield* skippedLayers(beforeExit, 'login', options);
  const session = yield* openSession(subject, options);
  if (!session) return yield* skippedLayers(beforeExit, 'mcp', options);
  yield* tryMcpServers(subject, options);
  yield* takeTurn(session, subject, options);
}

/** The findings for the remaining layers, which can no longer be examined. */
export function* skippedLayers(
  layers: readonly ExaminedLayer[],
  from: ExaminedLayer,
  options: ExamineOptions,
): Generator<Finding, undefined> {
  for (const layer of layers.slice(layers.indexOf(from))) {
    const isWanted =
      (layer !== 'mcp' || options.mcpServers?.length) && (layer !== 'turn' || options.prompt !== undefined);
    if (isWanted) yield notReached(layer);
  }
}
