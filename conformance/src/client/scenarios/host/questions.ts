import forms from './questions.json' with { type: 'json' };
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../../../verdict/observer.ts';
import { asMessage, at, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type ClientScripts, type ClientStage, type Done, inTurn } from '../../client-stage.ts';
import type { PlayedTurn } from '../../played-turn.ts';
import { continuesNormally, wordsAfter, wordsBefore } from '../endings.ts';

const method = 'elicitation/create';

/** What the user answers in forms, and fields that those answers do not fit: by the names of fields. */
const { answers, misfits, size } = forms;
const name = { type: 'string' };

export const questionsScenarios: ClientScripts = {
  'questions/form': async (stage) => {
    await asked(stage, async (turn) => {
      const properties = {
        name: { type: 'string', title: 'Name', minLength: 1, maxLength: 20 },
        age: { type: 'integer', minimum: 0 },
        ...{ height: { type: 'number' }, member: { type: 'boolean' }, size },
        pets: { type: 'array', items: { type: 'string', enum: ['cat', 'dog'] } },
      };
      const reply = await turn.ask(method, form(properties, ['name']));
      const isAction = ['accept', 'decline', 'cancel'].includes(String(actionOf(reply)));
      stage.see.check('R306', !isAction && 'the form is not answered with an action', reply);
      if (actionOf(reply) !== 'accept') throw new Stopped('the form was not filled in');
      const chosen = contentOf(reply)['size'];
      if (chosen === undefined) return stage.see.unseen('R296', 'the field with a default came without a value');
      const fault = `no size was chosen, its default is "m", and the answer has ${quoted(chosen)}`;
      stage.see.check('R296', chosen !== 'm' && fault, reply);
    });
  },
  'questions/invalid-answers': async (stage) => {
    await asked(stage, async (turn) => {
      await filledIn(turn);
      for (const [key, property] of Object.entries(misfits)) {
        const reply = await turn.ask(method, form({ [key]: property }, [key]));
        const sent = quoted(contentOf(reply)[key]);
        const isSent = sent === quoted(answers[key as keyof typeof answers]);
        stage.see.check('R295', isSent && `the value ${sent} of the field ${quoted(property)} was sent`, reply);
      }
    });
  },
  'questions/pattern': async (stage) => {
    await asked(stage, async (turn) => {
      await filledIn(turn);
      const letters = { type: 'string', pattern: '^(a+)+$' };
      const reply = await turn.tryToAsk(method, form({ letters }, ['letters']));
      const next = reply && (await turn.tryToAsk('_turnwire.check/still-there', {}));
      const fault = 'the client did not answer any more after a form with the pattern ^(a+)+$';
      stage.see.check('R299', next === undefined && fault);
    });
  },
  'questions/unknown-kinds': async (stage) => {
    const { see } = stage;
    await asked(stage, async (turn) => {
      await filledIn(turn);
      const unknown = { colour: { type: 'colour' }, pets: { type: 'array', items: { type: 'animal' } } };
      for (const [key, property] of Object.entries(unknown)) {
        const reply = await turn.ask(method, form({ [key]: property }));
        const isFilled = contentOf(reply)[key] !== undefined;
        see.check('R300', isFilled && `the field ${quoted(property)} was filled in`, reply);
      }
      const odd = await turn.ask(method, form({ name: { ...name, format: 'x-name' } }, ['name']));
      const plain = await turn.ask(method, form({ name }, ['name']));
      const isOther = actionOf(odd) !== actionOf(plain);
      see.check('R300', isOther && 'a field with an unknown format is not answered like one without', odd, plain);
    });
  },
  'questions/page': async (stage) => {
    const visits: string[] = [];
    const fetched = (): Fault => visits.length > 0 && `the page was fetched: ${visits.join(', ')}`;
    const server = createServer((request, response) => {
      visits.push(`${String(request.method)} ${String(request.url)}`);
      response.end('a page');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/login?who=ä`;
      const script = async (turn: PlayedTurn): Promise<void> => {
        turn.say(wordsBefore);
        const reply = await turn.ask(method, page(url));
        await turn.agent.quiet(500);
        const isOpen = actionOf(reply) === 'accept' && 'the answer is accept without consent';
        stage.see.check('R301', fetched() || isOpen, reply);
        stage.see.check('R313', actionOf(reply) === undefined && `the id ${quoted(oddId)} was not taken`, reply);
        for (const elicitationId of [oddId, oddId, 'never heard of'])
          turn.agent.notify('elicitation/complete', { elicitationId });
        turn.say(wordsAfter);
      };
      continuesNormally(stage, await asked(stage, script, 'elicitation.url'), 'R314');
      // Somebody may have come late.
      if (visits.length > 0) stage.see.check('R301', fetched());
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
  'questions/consent': async (stage) => {
    // Nobody listens there: a client that opens the page in a browser may.
    const url = 'http://127.0.0.1:9/login';
    const script = async (turn: PlayedTurn): Promise<void> => {
      const reply = await turn.ask(method, page(url));
      const isRefused = actionOf(reply) !== 'accept';
      stage.see.check('R306', isRefused && `the user consented, and the answer is ${answerOf(reply)}`, reply);
      turn.agent.notify('elicitation/complete', { elicitationId: oddId });
    };
    await stage.turn(script, { needs: ['elicitation.url'], action: 'consent', values: { url } });
  },
  'questions/decline': inTurn({ needs: ['elicitation'], action: 'decline' }, async (turn, stage) => {
    const questions = [
      ['elicitation.form', form({ name: { ...name, default: 'Ada' } })],
      ['elicitation.url', page('http://127.0.0.1:9/')],
    ] as const;
    for (const [, question] of questions.filter(([capability]) => turn.agent.clientOffers(capability))) {
      const reply = await turn.ask(method, question);
      const sent = Object.keys(asMessage(at(reply.result, 'content')) ?? {});
      const isDeclined = actionOf(reply) === 'decline' && sent.length === 0;
      stage.see.check('R306', !isDeclined && `the user declined, and the answer is ${answerOf(reply)}`, reply);
    }
  }),
  'questions/not-offered': async (stage) => {
    const path = stage.beside('project', 'there.txt');
    await writeFile(path, 'there');
    const requests = [
      ['fs.readTextFile', 'fs/read_text_file', { path }],
      ['fs.writeTextFile', 'fs/write_text_file', { path, content: 'here' }],
      ['terminal', 'terminal/create', { command: process.execPath, args: ['--version'] }],
      ['elicitation.form', method, form({ name })],
      ['elicitation.url', method, page('http://127.0.0.1:9/')],
      ['elicitation.hologram', method, { ...form({}), mode: 'hologram' }],
    ] as const;
    await stage.turn(async (turn) => {
      for (const [capability, asks, params] of requests) {
        if (turn.agent.clientOffers(capability)) continue;
        // Whether it is refused, and how, is judged of every connection.
        const { error } = await turn.ask(asks, params);
        if (asks === method && error?.code === -32_601)
          stage.see.unseen('R289', 'the client does not know elicitation/create');
      }
      if (['fs.readTextFile', 'fs.writeTextFile', 'terminal'].every((each) => turn.agent.clientOffers(each)))
        stage.see.unseen('R207', 'the client offers files and terminals');
    });
  },
};

/** Stops the scenario if not even a plain form is filled in: then nothing is put to the test by others. */
async function filledIn(turn: PlayedTurn): Promise<void> {
  const reply = await turn.ask(method, form({ name }, ['name']));
  if (contentOf(reply)['name'] !== answers.name)
    throw new Stopped(`a form that asks for a name was answered with ${answerOf(reply)}`);
}

/** A turn of a client whose user has answers ready: without any, nothing is put to the test by a form. */
async function asked(
  stage: ClientStage,
  script: (turn: PlayedTurn) => Promise<void>,
  needs: 'elicitation.form' | 'elicitation.url' = 'elicitation.form',
): Promise<Done> {
  const path = stage.beside('answers.json');
  await writeFile(path, JSON.stringify(answers));
  const action = needs === 'elicitation.form' || stage.can('answer') ? 'answer' : 'prompt';
  return stage.turn(script, { needs: [needs], action, values: { answers: path } });
}

function form(properties: RawMessage, required: readonly string[] = []): RawMessage {
  return { mode: 'form', message: 'Who are you?', requestedSchema: { type: 'object', properties, required } };
}

const oddId = '{"id": "ü/🌍"} ';

function page(url: string): RawMessage {
  return { mode: 'url', message: 'Log in, please', elicitationId: oddId, url };
}

function actionOf({ result }: Reply): unknown {
  return at(result, 'action');
}

function answerOf({ result, error }: Reply): string {
  return quoted(error ?? result);
}

/** What was accepted; nothing of what was not. */
function contentOf(reply: Reply): RawMessage {
  return (actionOf(reply) === 'accept' ? asMessage(at(reply.result, 'content')) : undefined) ?? {};
}
