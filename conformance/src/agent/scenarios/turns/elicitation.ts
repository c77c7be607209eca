import { asMessage, at, objectsIn, type RawMessage } from '../../../wire/messages.ts';
import { WireError } from '../../../wire/wire.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import type { Asked } from '../../frames.ts';
import { expectDone } from '../../pieces/preconditions.ts';
import type { RunningTurn } from '../../running-turn.ts';

const trees = ['quince', 'medlar', 'mulberry'];
const question = 'Which tree shall be planted?';

/** How the agent asks people, and what it makes of their answers. */
export const elicitationScenarios: AgentScripts = {
  'elicitation/not-offered': async (stage) => {
    const turn = await (await stage.session()).prompt(promptToAsk(stage));
    const asked = questionsIn(turn);
    const isPutOtherwise = ['planted', ...trees].some((word) => turn.words.includes(word));
    expectDone(asked.length > 0 || isPutOtherwise, 'ask a question');
    const fault = asked.length > 0 && 'the agent sent elicitation/create to a client that offers no mode';
    stage.see.check('R287', fault, asked);
    if (isPutOtherwise) stage.see.held('R288');
  },
  'elicitation/no-answer': async (stage) => {
    const ask = await beginAsking(stage);
    const refuse = (): never => {
      throw new WireError(-32_603, 'the form cannot be shown');
    };
    const turns = [
      ['decline', await ask((form) => ({ action: 'decline', content: form('medlar') }))],
      ['cancel', await ask((form) => ({ action: 'cancel', content: form('medlar') }))],
      ['an unknown action', await ask((form) => ({ action: '_approve', content: form('medlar') }))],
      ['an error', await ask(refuse)],
    ] as const;
    for (const [answer, turn] of turns) {
      const asked = questionsIn(turn);
      if (asked.length === 0) continue;
      const isTaken = isReported(turn, 'medlar');
      stage.see.check('R307', isTaken && `the agent took the content of ${answer} for an answer`, asked);
      const goesOn = turn.error !== undefined || trees.some((tree) => isReported(turn, tree));
      const fault = goesOn && `after ${answer} the turn failed, or continued as if there were an answer`;
      stage.see.check('R308', fault, asked);
    }
  },
  'elicitation/invalid': async (stage) => {
    const turn = await (await beginAsking(stage))((form) => ({ action: 'accept', content: form('walnut') }));
    const isTaken = turn.words.includes('walnut');
    stage.see.check('R295', isTaken && 'the agent took for an answer what its form does not allow', questionsIn(turn));
  },
};

/** A turn in which the agent asks with a form, and gets this answer. */
type Ask = (answer: (form: (value: unknown) => RawMessage) => unknown) => Promise<RunningTurn>;

/** Lets the agent ask once and answers as a user would: only if it reports the answer can its reaction to others be judged. */
async function beginAsking(stage: AgentStage): Promise<Ask> {
  const session = await stage.session();
  const ask: Ask = async (answer) => {
    session.wire.handle('elicitation/create', ({ requestedSchema }) =>
      answer((value) => filledIn(requestedSchema, value)),
    );
    return session.begin(promptToAsk(stage)).end();
  };
  const turn = await ask((form) => ({ action: 'accept', content: form('quince') }));
  expectDone(questionsIn(turn).length > 0, 'ask a question with a form');
  expectDone(isReported(turn, 'quince'), 'say what it was answered');
  return ask;
}

/** Whether the agent names this tree and no other: else it may only have repeated the question. */
function isReported({ words }: RunningTurn, tree: string): boolean {
  return words.includes(tree) && trees.every((other) => other === tree || !words.includes(other));
}

function promptToAsk(stage: AgentStage): string {
  return stage.steer('ask', { question, choices: trees.join(', ') });
}

function questionsIn(turn: RunningTurn): readonly Asked[] {
  return turn.asked('elicitation/create');
}

/** The form with a value in the field that offers the trees, as the field has it. */
function filledIn(schema: unknown, value: unknown): RawMessage {
  for (const [field, property] of Object.entries(asMessage(at(schema, 'properties')) ?? {})) {
    const items = asMessage(at(property, 'items'));
    const offered = choicesOf(items ?? asMessage(property) ?? {});
    if (offered.length === 0) continue;
    const found = offered.find((choice) => choice.title === value)?.value ?? value;
    return { [field]: items === undefined ? found : [found] };
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
