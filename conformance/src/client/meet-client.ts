import { requirements } from '../requirements/requirements.ts';
import type { Introduction } from '../verdict/verdict.ts';
import { asMessage, type JournalEntry } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import { usualWords } from './agent/played-agent.ts';
import { type ClientHabits, linesIn } from './client-habits.ts';
import type { ClientCheckSettings, ClientScenario } from './client-stage.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { runClientScenario } from './run-client-scenario.ts';

export interface ClientMeeting {
  /** The name and version it reports. */
  readonly introduction?: Introduction;
  /** Why there was no turn at all, with an agent that does everything right. */
  readonly unreachable?: string;
  /** How it ends when nothing is wrong. */
  readonly habits?: ClientHabits;
  /** How long its turn took, in milliseconds. */
  readonly took?: number;
}

/** How long the first start of a client and its agent may take at least, in milliseconds: it may be fetched first. */
const firstStart = 60_000;

/** Runs a turn of a client once, before anything is judged, to see whether it gets that far: if not, nothing else can be judged. */
export async function meetClient(
  subject: ClientSubject,
  { signal, patience, seed }: ClientCheckSettings & { readonly signal?: AbortSignal | undefined },
): Promise<ClientMeeting> {
  const patient = { ...patience, start: Math.max(patience.start, firstStart) };
  let turn: Required<Pick<ClientMeeting, 'habits' | 'took'>> | undefined;
  const scenario: ClientScenario = {
    id: 'meeting/turn',
    covers: ['R134'],
    title: 'a client sends a prompt to an agent that does everything right',
    run: async (stage) => {
      const began = performance.now();
      const { agent, end } = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, usualWords));
      if (end.how !== 'by itself')
        throw new Stopped(
          'the client did its turn and continued until it was interrupted: it has to end by itself after the turn, for which a driver can have something typed',
        );
      const habits = {
        exitCode: end.exit.code,
        lines: new Set(linesIn(`${end.stdout}\n${end.stderr}`)),
        starts: stage.agents.length,
        capabilities: asMessage(agent.calls('initialize')[0]?.params['clientCapabilities']) ?? {},
      };
      turn = { habits, took: performance.now() - began };
      stage.see.held('R134');
    },
  };
  const settings = { patience: patient, seed, signal };
  const { observations, journals, harnessError } = await runClientScenario(subject, scenario, settings);
  const unseen = observations.find(({ outcome }) => outcome === 'unseen')?.message;
  const unreachable = harnessError ?? unseen;
  // What may be the reason: the first thing that was wrong in what the client wrote.
  const broken = observations.find(({ outcome, requirement }) => outcome === 'broken' && musts.has(requirement));
  const reason = broken && `. In what it wrote this breaks ${broken.requirement}: ${broken.message}`;
  return {
    ...introduced(journals.flat()),
    ...(unreachable !== undefined && { unreachable: `${unreachable}${reason ?? ''}` }),
    ...turn,
  };
}

const musts = new Set(requirements.filter(({ level }) => level.startsWith('MUST')).map(({ id }) => id));

/** What the client said it is in its first `initialize`. */
function introduced(entries: readonly JournalEntry[]): { readonly introduction?: Introduction } {
  for (const { message } of entries) {
    const { name, version } = asMessage(asMessage(asMessage(message)?.['params'])?.['clientInfo']) ?? {};
    if (typeof name === 'string') return { introduction: { name, ...(typeof version === 'string' && { version }) } };
  }
  return {};
}
