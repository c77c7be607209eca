import type { RequirementId } from '../../../requirements/requirement.ts';
import type { JournalEntry, RawMessage } from '../../../wire/journal.ts';
import { asMessage } from '../../../wire/messages.ts';
import { WireError } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { fullClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { askedIn, entriesOf, objectsIn, wordsIn } from '../../pieces/frames.ts';
import { beginSession, type Begun, expectDone } from '../../pieces/preconditions.ts';

const trees = ['quince', 'medlar', 'mulberry'];
const question = 'Which tree shall be planted?';

/** How the agent asks people, and what it makes of their answers. */
export const elicitationScenarios: readonly AgentScenario[] = [
  {
    id: 'elicitation/not-offered',
    title: 'a client that offers no mode is asked nothing, and the question is put in another way',
    covers: ['R287', 'R288'],
    client: { ...fullClient, elicitation: {} },
    run: askWithoutForms,
  },
  {
    id: 'elicitation/no-answer',
    title: 'only accept makes an answer of content: no decline, cancel, unknown action or error does',
    covers: ['R307', 'R308'],
    run: answerWithout,
  },
  {
    id: 'elicitation/invalid',
    title: 'an accepted answer that does not fit the form is not taken for one',
    covers: ['R295'],
    run: async (stage) => {
      const asking = await beginAsking(stage);
      const { entries } = await asking.turn(({ form }) => ({ action: 'accept', content: form('walnut') }));
      stage.see.check('R295', !wordsIn(entries).includes('walnut'), {
        otherwise: 'the agent took for an answer what its form does not allow',
        evidence: questionsIn(entries),
      });
    },
  },
];

async function askWithoutForms(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const { entries } = await stage.prompt(wire, sessionId, promptToAsk(stage));
  const asked = questionsIn(entries);
  const isPutOtherwise = wordsIn(entries).includes('planted') || trees.some((tree) => wordsIn(entries).includes(tree));
  expectDone(asked.length > 0 || isPutOtherwise, 'ask a question');
  stage.see.check('R287', asked.length === 0, {
    otherwise: 'the agent sent elicitation/create to a client that offers no mode',
    evidence: asked,
  });
  if (isPutOtherwise) stage.see.held('R288');
}

/** An agent that asks with a form and says what was answered. */
interface Asking {
  /** A turn in which it asks and gets this answer. */
  turn(answer: (asked: { readonly form: (value: unknown) => RawMessage }) => unknown): Promise<AskedTurn>;
}

interface AskedTurn {
  readonly entries: readonly JournalEntry[];
  readonly error: unknown;
}

/** Lets the agent ask once and answers as a user would: only if it reports the answer can its reaction to others be judged. */
async function beginAsking(stage: AgentStage): Promise<Asking> {
  const begun = await beginSession(stage);
  const asking: Asking = {
    turn: async (answer) => {
      begun.wire.handle('elicitation/create', ({ requestedSchema }) =>
        answer({ form: (value) => filledIn(requestedSchema, value) }),
      );
      return askedTurn(stage, begun);
    },
  };
  const { entries } = await asking.turn(({ form }) => ({ action: 'accept', content: form('quince') }));
  expectDone(questionsIn(entries).length > 0, 'ask a question with a form');
  expectDone(isReported(entries, 'quince'), 'say what it was answered');
  return asking;
}

async function askedTurn(stage: AgentStage, { wire, sessionId }: Begun): Promise<AskedTurn> {
  const turn = stage.begin(wire, sessionId, promptToAsk(stage));
  const { error } = await turn.end();
  return { entries: turn.entries, error };
}

async function answerWithout(stage: AgentStage): Promise<void> {
  const asking = await beginAsking(stage);
  const refuse = (): never => {
    throw new WireError(-32_603, 'the form cannot be shown');
  };
  const turns: readonly (readonly [answer: string, AskedTurn])[] = [
    ['decline', await asking.turn(({ form }) => ({ action: 'decline', content: form('medlar') }))],
    ['cancel', await asking.turn(({ form }) => ({ action: 'cancel', content: form('medlar') }))],
    ['an unknown action', await asking.turn(({ form }) => ({ action: '_approve', content: form('medlar') }))],
    ['an error', await asking.turn(refuse)],
  ];
  for (const [answer, { entries, error }] of turns) {
    const evidence = questionsIn(entries);
    if (evidence.length === 0) continue;
    const see = (requirement: RequirementId, isKept: boolean, otherwise: string): void =>
      void stage.see.check(requirement, isKept, { otherwise, evidence });
    see('R307', !isReported(entries, 'medlar'), `the agent took the content of ${answer} for an answer`);
    see(
      'R308',
      error === undefined && !trees.some((tree) => isReported(entries, tree)),
      `after ${answer} the turn failed, or continued as if there were an answer`,
    );
  }
}

/** Whether the agent names this tree and no other: else it may only have repeated the question. */
function isReported(entries: readonly JournalEntry[], tree: string): boolean {
  const words = wordsIn(entries);
  return words.includes(tree) && trees.every((other) => other === tree || !words.includes(other));
}

function promptToAsk(stage: AgentStage): string {
  return stage.steer('ask', { question, choices: trees.join(', ') });
}

function questionsIn(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entriesOf(askedIn(entries, 'elicitation/create'));
}

/** The form with a value in the field that offers the trees, as the field has it. */
function filledIn(schema: unknown, value: unknown): RawMessage {
  for (const [field, property] of Object.entries(asMessage(asMessage(schema)?.['properties']) ?? {})) {
    const shape = asMessage(property) ?? {};
    const items = asMessage(shape['items']);
    const offered = choicesOf(items ?? shape);
    if (offered.length === 0) continue;
    const chosen = offered.find((choice) => choice.title === value)?.value ?? value;
    return { [field]: items === undefined ? chosen : [chosen] };
  }
  return {};
}

function choicesOf(shape: RawMessage): readonly { readonly value: unknown; readonly title: unknown }[] {
  const titled = [...objectsIn(shape['oneOf']), ...objectsIn(shape['anyOf'])];
  const plain = Array.isArray(shape['enum']) ? shape['enum'] : [];
  return [
    ...plain.map((value: unknown) => ({ value, title: value })),
    ...titled.map((choice) => ({ value: choice['const'], title: choice['title'] ?? choice['const'] })),
  ];
}
