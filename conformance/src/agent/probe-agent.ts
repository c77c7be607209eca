import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckedVersion } from '../requirements/requirement.ts';
import type { Introduction } from '../verdict/verdict.ts';
import { asMessage, at, type RawMessage, type Reply } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import { Wire } from '../wire/wire.ts';
import type { AgentSubject } from './agent-subject.ts';
import { bareClient, introductionIn } from './host/client-offer.ts';

/** The result of the first contact with an agent. */
export interface ProbeResult {
  /** The name and version that it reports. */
  readonly introduction?: Introduction;
  /** Why the agent did not answer. */
  readonly unreachable?: string;
  /** The last lines it printed: anything on stdout that is not a message, and stderr. */
  readonly lastOutput?: string;
}

/**
 * Starts an agent once before anything is judged, to check that it responds. This first start may include a download and take long.
 * An agent that lacks the version is not judged.
 * @param contact the version of the protocol, and how long to wait for the answer to `initialize`, in milliseconds
 */
export async function probeAgent(subject: AgentSubject, contact: Contact): Promise<ProbeResult> {
  const cwd = await mkdtemp(join(tmpdir(), 'turnwire-check-'));
  try {
    return await firstWords(
      new Wire(await subject.open({ cwd }), { plays: 'client', timeout: contact.timeout }),
      contact,
    );
  } catch (error) {
    if (error instanceof Stopped) return { unreachable: error.message };
    throw error;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

interface Contact {
  readonly version: CheckedVersion;
  readonly timeout: number;
}

async function firstWords(wire: Wire, contact: Contact): Promise<ProbeResult> {
  try {
    const offer = introductionIn(contact.version, bareClient);
    const { result } = await firstAnswer(wire, offer, contact.timeout);
    if (contact.version === 2 && at(result, 'protocolVersion') === 1)
      return { unreachable: 'the agent speaks version 1 of the protocol, not version 2' };
    return introducedBy(at(result, contact.version === 1 ? 'agentInfo' : 'info'));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { hasEnded } = wire;
    // Output is complete only after the connection is closed.
    await wire.close();
    const unreachable = hasEnded
      ? 'the connection ended before initialize was answered'
      : 'initialize was not answered in time: --timeout sets a longer time';
    const words = [noise(wire), wire.line.lastOutput?.().trim() ?? ''].filter((each) => each !== '').join('\n');
    const lastOutput = words.split('\n').slice(-shownLines).join('\n');
    return { unreachable, ...(words !== '' && { lastOutput }) };
  } finally {
    await wire.close();
  }
}

/** How long the first start may take in all, in milliseconds, if the agent prints something meanwhile: it may be downloaded. */
const download = 120_000;

/** The answer to `initialize`. An agent that prints nothing at all until the timeout, in milliseconds, gets no more time. */
async function firstAnswer(wire: Wire, offer: RawMessage, timeout: number): Promise<Reply> {
  const from = wire.journal.length;
  try {
    return await wire.ask('initialize', offer, { within: timeout });
  } catch (error) {
    const isSilent = noise(wire) === '' && (wire.line.lastOutput?.().trim() ?? '') === '';
    if (wire.hasEnded || isSilent) throw error;
    // The first request of a connection has the id 0.
    return wire.answer(0, { from, within: download - timeout });
  }
}

function introducedBy(info: unknown): ProbeResult {
  const { title, name, version } = asMessage(info) ?? {};
  const known = [title, name].find((each) => typeof each === 'string' && each !== '');
  if (typeof known !== 'string') return {};
  return { introduction: { name: known, ...(typeof version === 'string' && { version }) } };
}

const shownLines = 12;

/** Output on stdout that is not a message: often it is the error. */
function noise({ journal }: Wire): string {
  return journal
    .filter(({ from, message }) => from === 'agent' && message === undefined)
    .map(({ text }) => text)
    .join('\n')
    .trim();
}
