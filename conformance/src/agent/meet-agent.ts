import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Introduction } from '../verdict/verdict.ts';
import { asMessage } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import { Wire } from '../wire/wire.ts';
import type { AgentSubject } from './agent-subject.ts';
import { bareClient } from './host/client-offer.ts';

/** The result of the first contact with an agent. */
export interface Meeting {
  /** The name and version it reports. */
  readonly introduction?: Introduction;
  /** The reason why there was no answer. */
  readonly unreachable?: string;
  /** What it printed last then: on stdout anything that is not a message, and on stderr. */
  readonly lastWords?: string;
}

/**
 * Starts an agent once, before anything is judged, to check that it responds. The first start may have to download the agent, so it may
 * take long.
 * @param patience how long to wait for an answer to `initialize`, in milliseconds
 */
export async function meetAgent(subject: AgentSubject, patience: number): Promise<Meeting> {
  const cwd = await mkdtemp(join(tmpdir(), 'turnwire-check-'));
  try {
    return await firstWords(new Wire(await subject.open({ cwd }), { plays: 'client', patience }), patience);
  } catch (error) {
    if (error instanceof Stopped) return { unreachable: error.message };
    throw error;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

async function firstWords(wire: Wire, within: number): Promise<Meeting> {
  try {
    const offer = { protocolVersion: 1, clientCapabilities: bareClient };
    const { result } = await wire.ask('initialize', offer, { within });
    const { title, name, version } = asMessage(asMessage(result)?.['agentInfo']) ?? {};
    const known = [title, name].find((each) => typeof each === 'string' && each !== '');
    if (typeof known !== 'string') return {};
    return { introduction: { name: known, ...(typeof version === 'string' && { version }) } };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { hasEnded } = wire;
    // Its output is complete when it is closed.
    await wire.close();
    const unreachable = hasEnded ? 'it ended before it answered initialize' : 'it did not answer initialize in time';
    const words = [noise(wire), wire.line.lastWords?.().trim() ?? ''].filter((each) => each !== '').join('\n');
    const lastWords = words.split('\n').slice(-shownLines).join('\n');
    return { unreachable, ...(words !== '' && { lastWords }) };
  } finally {
    await wire.close();
  }
}

const shownLines = 12;

/** The output on stdout that is not a message: often it is the error. */
function noise({ journal }: Wire): string {
  return journal
    .filter(({ from, message }) => from === 'agent' && message === undefined)
    .map(({ text }) => text)
    .join('\n')
    .trim();
}
