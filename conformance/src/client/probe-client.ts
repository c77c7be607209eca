import { requirements } from '../requirements/requirements.ts';
import type { Introduction } from '../verdict/verdict.ts';
import { asMessage, at, type JournalEntry } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import { defaultText } from './agent/simulated-agent.ts';
import { type ClientBaseline, linesIn } from './client-baseline.ts';
import type { ClientCheckSettings, ClientScenario } from './client-context.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { runClientScenario } from './run-client-scenario.ts';

export interface ClientProbeResult {
  /** The name and version that it reports. */
  readonly introduction?: Introduction;
  /** Why there was no turn, even with a flawless agent. */
  readonly unreachable?: string;
  /** Its behaviour in this turn. */
  readonly baseline?: ClientBaseline;
  /** The duration of this turn, in milliseconds. */
  readonly took?: number;
}

/** Minimum time for the first start of a client and its agent, in milliseconds: they may have to be downloaded. */
const firstStart = 60_000;

/** Runs one turn of a client before anything is judged: without a turn, nothing else can be judged. */
export async function probeClient(
  subject: ClientSubject,
  { signal, timeouts, ...others }: ClientCheckSettings & { readonly signal?: AbortSignal | undefined },
): Promise<ClientProbeResult> {
  const longer = { ...timeouts, start: Math.max(timeouts.start, firstStart) };
  let turn: Required<Pick<ClientProbeResult, 'baseline' | 'took'>> | undefined;
  const scenario: ClientScenario = {
    id: 'meeting/turn',
    covers: ['R134'],
    title: 'a client sends a prompt to a flawless agent',
    run: async (context) => {
      const began = performance.now();
      const { agent, end } = await context.turn(({ agent, sessionId }) => void agent.say(sessionId, defaultText));
      if (end.how !== 'by itself')
        throw new Stopped(
          'the client completed its turn but ran until it was interrupted. It must exit by itself after the turn; if it needs input for that, let the driver type it',
        );
      const baseline = {
        exitCode: end.exit.code,
        lines: new Set(linesIn(`${end.stdout}\n${end.stderr}`)),
        starts: context.agents.length,
        capabilities: asMessage(agent.clientCapabilities) ?? {},
      };
      turn = { baseline, took: performance.now() - began };
      context.see.held('R134');
    },
  };
  const settings = { ...others, timeouts: longer, signal };
  const { observations, journals, harnessError } = await runClientScenario(subject, scenario, settings);
  const unseen = observations.find(({ outcome }) => outcome === 'unseen')?.message;
  const unreachable = harnessError ?? unseen;
  // The likely reason: the first fault in the messages of the client.
  const broken = observations.find(({ outcome, requirement }) => outcome === 'broken' && musts.has(requirement));
  const reason = broken && `. The likely reason: the client breaks ${broken.requirement}: ${broken.message}`;
  return {
    ...introduced(journals.flat()),
    ...(unreachable !== undefined && { unreachable: `${unreachable}${reason ?? ''}` }),
    ...turn,
  };
}

const musts = new Set(requirements.filter(({ level }) => level.startsWith('MUST')).map(({ id }) => id));

/** The name and version that the client reported in its first `initialize`. */
function introduced(entries: readonly JournalEntry[]): { readonly introduction?: Introduction } {
  for (const { message } of entries) {
    const { info, clientInfo = info } = asMessage(at(message, 'params')) ?? {};
    const { name, version } = asMessage(clientInfo) ?? {};
    if (typeof name === 'string') return { introduction: { name, ...(typeof version === 'string' && { version }) } };
  }
  return {};
}
