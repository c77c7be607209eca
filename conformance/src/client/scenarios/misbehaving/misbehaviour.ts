import type { RequirementId } from '../../../requirements/requirement.ts';
import type { PlayedAgent } from '../../agent/played-agent.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { ClientStage, PlayedTurn, TurnScript } from '../../client-stage.ts';
import type { ClientAction } from '../../drive/client-driver.ts';
import { continuesNormally, survives, reports, wordsAfter, wordsBefore } from '../endings.ts';

/** What is expected of a client that meets an agent that misbehaves. */
type Expected =
  /** It does its task, and shows later updates. */
  | 'continues'
  /** It ends in time, without a crash, and with a word if it gives up. */
  | 'survives'
  /** It cannot do its task, ends in time, and reports it. */
  | 'reports';

/** Something an agent must not do. */
export interface Misbehaviour {
  readonly id: string;
  /** What the agent does, as the end of a sentence: `an agent that …`. */
  readonly agent: string;
  readonly expected: Expected;
  /** What is broken by a client that is not up to it. Default: what is expected. */
  readonly covers?: RequirementId;
  /** The client's task. Default: `prompt`. */
  readonly action?: ClientAction;
  /** What its frames cannot be judged by: see `ClientScenario`. */
  readonly unaudited?: readonly RequirementId[];
}

const judges = { continues: continuesNormally, survives, reports };
const findings = { continues: 'R337', survives: 'R336', reports: 'R338' } as const;
const promises = {
  continues: 'does not disturb its client',
  survives: 'does not bring its client down',
  reports: 'is reported to the user',
};

/** Misbehaviour before there is a turn. */
export function early(misbehaviour: Misbehaviour & { readonly play: (agent: PlayedAgent) => void }): ClientScenario {
  const { expected, covers = findings[expected] } = misbehaviour;
  return {
    ...named(misbehaviour, covers),
    run: async (stage) => {
      stage.play(misbehaviour.play);
      judges[expected](stage, await stage.perform('prompt'), covers);
    },
  };
}

/** Misbehaviour in the middle of a turn, between words that say so. */
export function within(
  misbehaviour: Misbehaviour & { readonly happens: (turn: PlayedTurn, stage: ClientStage) => unknown },
): ClientScenario {
  return during(misbehaviour, (stage) => async (turn) => {
    turn.agent.say(turn.sessionId, wordsBefore);
    await misbehaviour.happens(turn, stage);
    turn.agent.say(turn.sessionId, wordsAfter);
  });
}

/** A turn that ends in an odd way. */
export function ending(misbehaviour: Misbehaviour & { readonly script: TurnScript }): ClientScenario {
  return during(misbehaviour, () => misbehaviour.script);
}

function during(misbehaviour: Misbehaviour, scriptOf: (stage: ClientStage) => TurnScript): ClientScenario {
  const { expected, covers = findings[expected], action = 'prompt' } = misbehaviour;
  return {
    ...named(misbehaviour, covers),
    run: async (stage) => void judges[expected](stage, await stage.turn(scriptOf(stage), { action }), covers),
  };
}

function named(
  { id, agent, expected, unaudited = [] }: Misbehaviour,
  covers: RequirementId,
): Omit<ClientScenario, 'run'> {
  return {
    id: `misbehaving/${id}`,
    title: `an agent that ${agent} ${promises[expected]}`,
    covers: [covers],
    unaudited,
  };
}
