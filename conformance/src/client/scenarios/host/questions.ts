import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RawMessage } from '../../../wire/journal.ts';
import { asMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { ClientStage, Done } from '../../client-stage.ts';
import { continuesNormally, wordsAfter, wordsBefore } from '../endings.ts';
import { clientOffers, type HostTurn, hostTurn } from './host-turn.ts';

const method = 'elicitation/create';

/** What the user answers in forms: by the names of fields. */
const answers = {
  ...{ name: 'Ada', age: 36, height: 1.7, member: true, pets: ['cat'], colour: 'red' },
  ...{ years: 'many', short: 'ab', number: 99, letters: `${'a'.repeat(40)}!` },
  ...{ long: 'abcdef', low: -5, digits: 'no digits', many: ['one', 'two', 'three'], few: [], other: ['three'] },
};

/** Questions that an agent asks the user. */
export const questionsScenarios: readonly ClientScenario[] = [
  {
    id: 'questions/form',
    title: 'a form that the user fills in is answered with what fits it, beginning with its defaults',
    covers: ['R296', 'R306'],
    run: async (stage) => {
      await asked(stage, async (turn) => {
        const properties = {
          name: { type: 'string', title: 'Name', minLength: 1, maxLength: 20 },
          age: { type: 'integer', minimum: 0 },
          height: { type: 'number' },
          member: { type: 'boolean' },
          pets: { type: 'array', items: { type: 'string', enum: ['cat', 'dog'] } },
          size: {
            type: 'string',
            oneOf: [
              { const: 's', title: 'Small' },
              { const: 'm', title: 'Medium' },
            ],
            default: 'm',
          },
        };
        const reply = await turn.ask(method, form(properties, ['name']));
        const size = contentOf(reply)['size'];
        const fault =
          !['accept', 'decline', 'cancel'].includes(String(actionOf(reply))) &&
          'the form is not answered with an action';
        stage.see.check('R306', fault, reply);
        if (actionOf(reply) !== 'accept') throw new Stopped('the form was not filled in');
        if (size === undefined) stage.see.unseen('R296', 'the field with a default came without a value');
        else
          stage.see.check(
            'R296',
            size !== 'm' && `no size was chosen, its default is "m", and the answer has ${JSON.stringify(size)}`,
            reply,
          );
      });
    },
  },
  {
    id: 'questions/invalid-answers',
    title: 'an answer that does not fit its field is not sent',
    covers: ['R295'],
    run: async (stage) => {
      await asked(stage, async (turn) => {
        await filledIn(turn);
        const fields = {
          years: { type: 'integer' },
          short: { type: 'string', minLength: 5 },
          number: { type: 'number', maximum: 10 },
          colour: { type: 'string', enum: ['green', 'blue'] },
          long: { type: 'string', maxLength: 3 },
          low: { type: 'integer', minimum: 0 },
          digits: { type: 'string', pattern: '^[0-9]+$' },
          many: { type: 'array', items: { type: 'string', enum: ['one', 'two', 'three'] }, maxItems: 2 },
          few: { type: 'array', items: { type: 'string', enum: ['one', 'two'] }, minItems: 1 },
          other: { type: 'array', items: { type: 'string', enum: ['one', 'two'] } },
        };
        for (const [key, property] of Object.entries(fields)) {
          const reply = await turn.ask(method, form({ [key]: property }, [key]));
          const sent = contentOf(reply)[key];
          const fault =
            JSON.stringify(sent) === JSON.stringify(answers[key as keyof typeof answers]) &&
            `the value ${JSON.stringify(sent)} of the field ${JSON.stringify(property)} was sent`;
          stage.see.check('R295', fault, reply);
        }
      });
    },
  },
  {
    id: 'questions/pattern',
    title: 'a pattern with catastrophic backtracking does not block the client',
    covers: ['R299'],
    run: async (stage) => {
      await asked(stage, async (turn) => {
        await filledIn(turn);
        const letters = { type: 'string', pattern: '^(a+)+$' };
        const reply = await turn.tryToAsk(method, form({ letters }, ['letters']));
        const next = reply && (await turn.tryToAsk('_turnwire.check/still-there', {}));
        const fault = next === undefined && 'the client did not answer any more after a form with the pattern ^(a+)+$';
        stage.see.check('R299', fault);
      });
    },
  },
  {
    id: 'questions/unknown-kinds',
    title: 'unknown fields and modes are not taken for others, and unknown formats do no harm',
    covers: ['R300'],
    run: async (stage) => void (await asked(stage, (turn) => unknownKinds(stage, turn))),
  },
  {
    id: 'questions/page',
    title: 'a page that the user did not consent to is neither opened nor fetched',
    covers: ['R301', 'R313', 'R314'],
    run: openPage,
  },
  {
    id: 'questions/consent',
    title: 'a page that the user consents to is accepted',
    covers: ['R306'],
    run: consentToPage,
  },
  {
    id: 'questions/decline',
    title: 'what the user declines is answered with decline, and nothing is sent along',
    covers: ['R306'],
    run: async (stage) =>
      void (await hostTurn(stage, { needs: ['elicitation'], action: 'decline' }, (turn) => decline(stage, turn))),
  },
  {
    id: 'questions/not-offered',
    title: 'what a client does not offer it refuses',
    covers: ['R207', 'R289'],
    run: async (stage) => {
      const path = stage.beside('project', 'there.txt');
      await writeFile(path, 'there');
      await stage.turn(async ({ agent, sessionId }) => {
        const unoffered = [
          ['fs.readTextFile', 'fs/read_text_file', { path }],
          ['fs.writeTextFile', 'fs/write_text_file', { path, content: 'here' }],
          ['terminal', 'terminal/create', { command: process.execPath, args: ['--version'] }],
          ['elicitation.form', method, form({ name: { type: 'string' } })],
          ['elicitation.url', method, page('http://127.0.0.1:9/')],
          ['elicitation.hologram', method, { ...form({}), mode: 'hologram' }],
        ] as const;
        for (const [capability, name, params] of unoffered) {
          if (clientOffers(agent, capability)) continue;
          const { error } = await agent.ask(name, { sessionId, ...params });
          // If it is answered otherwise, the frames show it.
          if (name === method && error?.code === -32_602) stage.see.held('R289');
          if (name === method && error?.code === -32_601)
            stage.see.unseen('R289', 'the client does not know elicitation/create');
          if (name !== method && error !== undefined) stage.see.held('R207');
        }
        if (!stage.see.knows('R207')) stage.see.unseen('R207', 'the client offers files and terminals');
      });
    },
  },
];

/** Stops the scenario if not even a plain form is filled in: then nothing is put to the test by others. */
async function filledIn({ ask }: HostTurn): Promise<void> {
  const reply = await ask(method, form({ name: { type: 'string' } }, ['name']));
  if (contentOf(reply)['name'] !== answers.name)
    throw new Stopped(`a form that asks for a name was answered with ${answerOf(reply)}`);
}

async function unknownKinds(stage: ClientStage, turn: HostTurn): Promise<void> {
  await filledIn(turn);
  const unknown = { colour: { type: 'colour' }, pets: { type: 'array', items: { type: 'animal' } } };
  for (const [key, property] of Object.entries(unknown)) {
    const reply = await turn.ask(method, form({ [key]: property }));
    const fault = contentOf(reply)[key] !== undefined && `the field ${JSON.stringify(property)} was filled in`;
    stage.see.check('R300', fault, reply);
  }
  const odd = await turn.ask(method, form({ name: { type: 'string', format: 'x-name' } }, ['name']));
  const plain = await turn.ask(method, form({ name: { type: 'string' } }, ['name']));
  const fault = actionOf(odd) !== actionOf(plain) && 'a field with an unknown format is not answered like one without';
  stage.see.check('R300', fault, odd, plain);
}

async function openPage(stage: ClientStage): Promise<void> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${String(request.method)} ${String(request.url)}`);
    response.end('a page');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/login?who=ä`;
    const done = await asked(stage, (turn) => consent(stage, turn, { url, visits }), 'elicitation.url');
    continuesNormally(stage, done, 'R314');
    // Somebody may have come late.
    if (visits.length > 0) stage.see.broken('R301', fetched(visits));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function fetched(visits: readonly string[]): string {
  return `the page was fetched: ${visits.join(', ')}`;
}

interface Page {
  readonly url: string;
  /** Who came. */
  readonly visits: readonly string[];
}

async function consent(stage: ClientStage, turn: HostTurn, { url, visits }: Page): Promise<void> {
  const { agent, sessionId } = turn;
  agent.say(sessionId, wordsBefore);
  const reply = await turn.ask(method, page(url));
  await agent.quiet(500);
  const fault = visits.length > 0 ? fetched(visits) : undefined;
  const isOpen = actionOf(reply) === 'accept' ? 'the answer is accept without consent' : undefined;
  stage.see.check('R301', fault ?? isOpen, reply);
  stage.see.check('R313', actionOf(reply) === undefined && `the id ${JSON.stringify(oddId)} was not taken`, reply);
  for (const elicitationId of [oddId, oddId, 'never heard of']) agent.notify('elicitation/complete', { elicitationId });
  agent.say(sessionId, wordsAfter);
}

async function consentToPage(stage: ClientStage): Promise<void> {
  // Nobody listens there: a client that opens the page in a browser may.
  const url = 'http://127.0.0.1:9/login';
  await hostTurn(stage, { needs: ['elicitation.url'], action: 'consent', values: { url } }, async ({ agent, ask }) => {
    const reply = await ask(method, page(url));
    const fault = actionOf(reply) !== 'accept' && `the user consented, and the answer is ${answerOf(reply)}`;
    stage.see.check('R306', fault, reply);
    agent.notify('elicitation/complete', { elicitationId: oddId });
  });
}

async function decline(stage: ClientStage, { agent, ask }: HostTurn): Promise<void> {
  const questions = [
    ['elicitation.form', form({ name: { type: 'string', default: 'Ada' } })],
    ['elicitation.url', page('http://127.0.0.1:9/')],
  ] as const;
  for (const [capability, question] of questions) {
    if (!clientOffers(agent, capability)) continue;
    const reply = await ask(method, question);
    const sent = Object.keys(asMessage(asMessage(reply.result)?.['content']) ?? {});
    const fault =
      (actionOf(reply) !== 'decline' || sent.length > 0) && `the user declined, and the answer is ${answerOf(reply)}`;
    stage.see.check('R306', fault, reply);
  }
}

/** A turn of a client whose user has answers ready: without any, nothing is put to the test by a form. */
async function asked(
  stage: ClientStage,
  script: (turn: HostTurn) => Promise<void>,
  needs: 'elicitation.form' | 'elicitation.url' = 'elicitation.form',
): Promise<Done> {
  const path = stage.beside('answers.json');
  await writeFile(path, JSON.stringify(answers));
  const action = needs === 'elicitation.form' || stage.can('answer') ? 'answer' : 'prompt';
  return hostTurn(stage, { needs: [needs], action, values: { answers: path } }, script);
}

function form(properties: RawMessage, required: readonly string[] = []): RawMessage {
  return { mode: 'form', message: 'Who are you?', requestedSchema: { type: 'object', properties, required } };
}

const oddId = '{"id": "ü/🌍"} ';

function page(url: string): RawMessage {
  return { mode: 'url', message: 'Log in, please', elicitationId: oddId, url };
}

function actionOf({ result }: Reply): unknown {
  return asMessage(result)?.['action'];
}

function answerOf({ result, error }: Reply): string {
  return JSON.stringify(error ?? result);
}

/** What was accepted; nothing of what was not. */
function contentOf(reply: Reply): RawMessage {
  return (actionOf(reply) === 'accept' ? asMessage(asMessage(reply.result)?.['content']) : undefined) ?? {};
}
