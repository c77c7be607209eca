import type { AgentProcess } from '../launch/agent-process.ts';
import { agentEnvironment, inheritedVariables } from '../launch/environment.ts';
import { FindingCleaner } from './clean-finding.ts';
import { type Examined, type ExamineOptions, examinationTimeouts } from './examine-options.ts';
import { type ExaminedLayer, examinedLayers, type Finding, notReached } from './finding.ts';
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
 * Throws TurnwireError `cancelled` when the signal aborts. Everything else is a finding.
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
  const place = { cwd: options.cwd ?? process.cwd(), env: agentEnvironment(process.env, patterns, options.env) };
  const words = yield* findCommand(command, place);
  const started = words && (yield* startProcess(words, place));
  if (words === undefined || started === undefined) {
    return yield* skipped(words === undefined ? 'launch' : 'noise', options);
  }
  yield* examineProcess(started, { ...options, cwd: place.cwd, command: words });
}

async function* examineProcess(started: AgentProcess, options: Examined): AsyncGenerator<Finding, undefined> {
  const subject = new Subject(started, { ...examinationTimeouts, ...options.timeouts });
  try {
    for await (const finding of examineConnection(subject, options)) {
      yield finding;
      yield* subject.watch.takeRemarks(finding.layer);
    }
    rethrowIfEnded(undefined, options.signal);
  } finally {
    await subject.end();
  }
  yield* subject.watch.takeRemarks('exit');
  yield* noiseSoFar(subject, 'Later');
  yield* describeDeparture(await subject.end());
}

async function* examineConnection(subject: Subject, options: Examined): AsyncGenerator<Finding, undefined> {
  if (!(yield* initializeAgent(subject, options))) return yield* skipped('login', options, 'exit');
  const session = yield* openSession(subject, options);
  if (!session) return yield* skipped('mcp', options, 'exit');
  yield* tryMcpServers(subject, options);
  yield* takeTurn(session, subject, options);
}

/** Findings for the layers in a range, which cannot be examined any more. */
function* skipped(from: ExaminedLayer, options: ExamineOptions, to?: ExaminedLayer): Generator<Finding, undefined> {
  const end = to === undefined ? undefined : examinedLayers.indexOf(to);
  for (const layer of examinedLayers.slice(examinedLayers.indexOf(from), end)) {
    const isWanted =
      (layer !== 'mcp' || options.mcpServers?.length) && (layer !== 'turn' || options.prompt !== undefined);
    if (isWanted) yield notReached(layer);
  }
}
