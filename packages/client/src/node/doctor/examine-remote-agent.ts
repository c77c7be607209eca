import { FindingCleaner } from './clean-finding.ts';
import { examineAttached, skippedLayers } from './examine-agent.ts';
import { examinationTimeouts, type ExamineOptions, type RemoteSubject } from './examine-options.ts';
import { type Finding, remoteLayers } from './finding.ts';
import { examineNetwork } from './layers/network.ts';
import { rethrowIfEnded } from './reason.ts';
import { Subject } from './subject.ts';

/**
 * Examines an agent on another machine like `examineAgent` does a local one: first the network path (name, connection, TLS with the
 * certificate, HTTP), then `initialize`, a login, a session, and a turn. Every wait is bounded. Throws TurnwireError `cancelled` when the
 * signal aborts. Everything else is a finding.
 */
export async function* examineRemoteAgent(
  remote: RemoteSubject,
  options: ExamineOptions = {},
): AsyncGenerator<Finding, undefined> {
  const secrets = Object.values(remote.headers).flatMap((value) => [value, ...value.split(' ')]);
  const cleaner = new FindingCleaner([...Object.values(options.env ?? {}), ...secrets]);
  for await (const finding of examination(remote, options)) yield cleaner.clean(finding);
}

async function* examination(remote: RemoteSubject, options: ExamineOptions): AsyncGenerator<Finding, undefined> {
  const isThere = yield* examineNetwork(remote);
  rethrowIfEnded(undefined, options.signal);
  if (!isThere) return yield* skippedLayers(remoteLayers, 'initialize', options);
  const timeouts = { ...examinationTimeouts, ...options.timeouts };
  const subject = new Subject({ transport: remote.connect() }, timeouts, options.versions);
  const examined = { ...options, cwd: options.cwd ?? process.cwd(), command: [remote.url.href] };
  yield* examineAttached(subject, examined, remoteLayers);
}
