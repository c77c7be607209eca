import { asMessage, at, objectsIn, type RawMessage } from '../../../wire/messages.ts';
import { WireError } from '../../../wire/wire.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import type { AgentRequest } from '../../frames.ts';
import { expectDone } from '../../fixtures/preconditions.ts';
import type { RunningTurn } from '../../running-turn.ts';

const trees = ['quince', 'medlar', 'mulberry'];
const question = 'Which tree shall be planted?';

/** How the agent asks the user questions, and how it uses the answers. */
export const elicitationScenarios: AgentScripts = {
  'elicitation/not-offered': async (context) => {
    const turn = await (await context.session()).prompt(promptToAsk(context));
    const asked = questionsIn(turn);
    const isAskedInText = ['planted', ...trees].some((word) => turn.words.includes(word));
    expectDone(asked.length > 0 || isAskedInText, 'ask a question');
    const fault = asked.length > 0 && 'the agent sent elicitation/create to a client that offers no mode';
    context.see.check('R287', fault, asked);
    if (isAskedInText) context.see.held('R288');
  },
  'elicitation/no-answer': async (context) => {
    const ask = await beginAsking(context);
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
      context.see.check('R307', isTaken && `the agent used the content of ${answer} as an answer`, asked);
      const isAnswered = turn.error !== undefined || trees.some((tree) => isReported(turn, tree));
      const fault = isAnswered && `after ${answer} the turn failed, or continued as if the question had been answered`;
      context.see.check('R308', fault, asked);
    }
  },
  'elicitation/invalid': async (context) => {
    const turn = await (await beginAsking(context))((form) => ({ action: 'accept', content: form('walnut') }));
    const isTaken = turn.words.includes('walnut');
    context.see.check(
      'R295',
      isTaken && 'the agent accepted an answer that its form does not allow',
      questionsIn(turn),
    );
  },
};

/** Runs a turn in which the agent asks with a form and receives this answer. */
type Ask = (answer: (form: (value: unknown) => RawMessage) => unknown) => Promise<RunningTurn>;

/** Lets the agent ask once and answers as a user would. Only an agent that reports this answer can be judged by its reaction to others. */
async function beginAsking(context: AgentContext): Promise<Ask> {
  const session = await context.session();
  const ask: Ask = async (answer) => {
    session.wire.handle('elicitation/create', ({ requestedSchema }) =>
      answer((value) => filledIn(requestedSchema, value)),
    );
    return session.begin(promptToAsk(context)).end();
  };
  const turn = await ask((form) => ({ action: 'accept', content: form('quince') }));
  expectDone(questionsIn(turn).length > 0, 'ask a question with a form');
  expectDone(isReported(turn, 'quince'), 'repeat the answer to its question');
  return ask;
}

/** Whether the agent names this tree and no other: otherwise it may have repeated the question. */
function isReported({ words }: RunningTurn, tree: string): boolean {
  return words.includes(tree) && trees.every((other) => other === tree || !words.includes(other));
}

function promptToAsk(context: AgentContext): string {
  return context.steer('ask', { question, choices: trees.join(', ') });
}

function questionsIn(turn: RunningTurn): readonly AgentRequest[] {
  return turn.requests('elicitation/create');
}

/** The form content with a value in the field that offers the trees, spelled as that field expects it. */
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
