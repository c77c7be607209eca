import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import type { RunningTurn } from '../../running-turn.ts';
import { beginBusyTurn } from '../../pieces/busy-turn.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';
import { expectOffered } from '../../pieces/offered.ts';

/** Milliseconds that work has to stop. */
const asSoonAsPossible = 5_000;

/** How sessions are closed. */
export const closeScenarios: readonly AgentScenario[] = [
  {
    id: 'close/turn',
    title: 'session/close during a turn cancels it and ends what it runs; a closed session may be closed again',
    covers: ['R094'],
    client: bareClient,
    run: async (stage) => {
      const { wire, initialized } = await stage.ready();
      expectOffered(initialized, 'sessionCapabilities.close');
      const { id: sessionId } = await stage.newSession(wire);
      const { turn, pid } = await beginBusyTurn(stage, wire, sessionId);
      if (turn.answered !== undefined)
        throw new Stopped('the turn ended by itself, though what it was to do takes long');
      const { entry, error } = await wire.ask('session/close', { sessionId });
      stage.see.check('R094', error === undefined, {
        otherwise: 'session/close of a session with a turn was refused',
        evidence: [entry],
      });
      const isGone = isGoneWithin(pid, asSoonAsPossible);
      await seeCancelled(stage, turn, entry);
      stage.see.check('R094', await isGone, {
        otherwise: `a command ran on ${asSoonAsPossible / 1000} seconds after session/close`,
        evidence: [turn.request, entry],
      });
      // An answer or an error, both are fine.
      await wire.ask('session/close', { sessionId });
    },
  },
];

async function seeCancelled({ see, settings }: AgentStage, turn: RunningTurn, closed: JournalEntry): Promise<void> {
  const reply = await turn.endWithin(settings.patience.answer);
  const stopReason = asMessage(reply?.result)?.['stopReason'];
  see.check('R094', stopReason === 'cancelled', {
    otherwise:
      reply === undefined
        ? 'the prompt was not answered after session/close'
        : 'the prompt of a session that was closed was not answered with cancelled',
    evidence: [turn.request, closed, ...(reply === undefined ? [] : [reply.entry])],
  });
}
