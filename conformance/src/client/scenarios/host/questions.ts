import forms from './questions.json' with { type: 'json' };
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../../../verdict/observer.ts';
import { asMessage, at, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type ClientScripts, type ClientContext, type Done, inTurn } from '../../client-context.ts';
import type { SimulatedTurn } from '../../simulated-turn.ts';
import { continuesNormally, textAfter, textBefore } from '../endings.ts';

const method = 'elicitation/create';

/** The user's answers to form fields, and fields that these answers do not match, by field name. */
const { answers, misfits, size } = forms;
const name = { type: 'string' };

export const questionsScenarios: ClientScripts = {
  'questions/form': async (context) => {
    await asked(context, async (turn) => {
      const properties = {
        name: { type: 'string', title: 'Name', minLength: 1, maxLength: 20 },
        age: { type: 'integer', minimum: 0 },
        ...{ height: { type: 'number' }, member: { type: 'boolean' }, size },
        pets: { type: 'array', items: { type: 'string', enum: ['cat', 'dog'] } },
      };
      const reply = await turn.ask(method, form(properties, ['name']));
      const isAction = ['accept', 'decline', 'cancel'].includes(String(actionOf(reply)));
      context.see.check('R306', !isAction && 'the form was not answered with an action', reply);
      if (actionOf(reply) !== 'accept') throw new Stopped('the form was not filled in');
      const chosen = contentOf(reply)['size'];
      if (chosen === undefined)
        return context.see.unseen('R296', 'the client sent no value for the field with a default');
      const fault = `the user chose no size and its default is "m", but the answer has ${quoted(chosen)}`;
      context.see.check('R296', chosen !== 'm' && fault, reply);
    });
  },
  'questions/invalid-answers': async (context) => {
    await asked(context, async (turn) => {
      await filledIn(turn);
      for (const [key, property] of Object.entries(misfits)) {
        const reply = await turn.ask(method, form({ [key]: property }, [key]));
        const sent = quoted(contentOf(reply)[key]);
        const isSent = sent === quoted(answers[key as keyof typeof answers]);
        context.see.check(
          'R295',
          isSent && `the value ${sent}, which the field ${quoted(property)} does not allow, was sent`,
          reply,
        );
      }
    });
  },
  'questions/pattern': async (context) => {
    await asked(context, async (turn) => {
      await filledIn(turn);
      const letters = { type: 'string', pattern: '^(a+)+$' };
      const reply = await turn.tryToAsk(method, form({ letters }, ['letters']));
      const next = reply && (await turn.tryToAsk('_turnwire.check/still-alive', {}));
      const fault = 'the client stopped answering after a form with the pattern ^(a+)+$';
      context.see.check('R299', next === undefined && fault);
    });
  },
  'questions/unknown-kinds': async (context) => {
    const { see } = context;
    await asked(context, async (turn) => {
      await filledIn(turn);
      const unknown = { colour: { type: 'colour' }, pets: { type: 'array', items: { type: 'animal' } } };
      for (const [key, property] of Object.entries(unknown)) {
        const reply = await turn.ask(method, form({ [key]: property }));
        const isFilled = contentOf(reply)[key] !== undefined;
        see.check('R300', isFilled && `the field ${quoted(property)} of an unknown type was filled in`, reply);
      }
      const odd = await turn.ask(method, form({ name: { ...name, format: 'x-name' } }, ['name']));
      const plain = await turn.ask(method, form({ name }, ['name']));
      const isOther = actionOf(odd) !== actionOf(plain);
      see.check(
        'R300',
        isOther && 'a field with an unknown format was answered differently from one without a format',
        odd,
        plain,
      );
    });
  },
  'questions/page': async (context) => {
    const visits: string[] = [];
    const fetched = (): Fault =>
      visits.length > 0 && `the client fetched the page before consent: ${visits.join(', ')}`;
    const server = createServer((request, response) => {
      visits.push(`${String(request.method)} ${String(request.url)}`);
      response.end('a page');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/login?who=ä`;
      const script = async (turn: SimulatedTurn): Promise<void> => {
        turn.say(textBefore);
        const reply = await turn.ask(method, page(url));
        await turn.agent.quiet(500);
        const isOpen = actionOf(reply) === 'accept' && 'the client answered accept without the consent of the user';
        context.see.check('R301', fetched() || isOpen, reply);
        context.see.check(
          'R313',
          actionOf(reply) === undefined &&
            `a question with the elicitationId ${quoted(oddId)} was not answered with an action`,
          reply,
        );
        for (const elicitationId of [oddId, oddId, 'unknown-question'])
          turn.agent.notify('elicitation/complete', { elicitationId });
        turn.say(textAfter);
      };
      continuesNormally(context, await asked(context, script, 'elicitation.url'), 'R314');
      // A request may have arrived late.
      if (visits.length > 0) context.see.check('R301', fetched());
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
  'questions/consent': async (context) => {
    // The port is closed: this client may open the page in a browser.
    const url = 'http://127.0.0.1:9/login';
    const script = async (turn: SimulatedTurn): Promise<void> => {
      const reply = await turn.ask(method, page(url));
      const isRefused = actionOf(reply) !== 'accept';
      context.see.check('R306', isRefused && `the user consented, but the client answered ${answerOf(reply)}`, reply);
      turn.agent.notify('elicitation/complete', { elicitationId: oddId });
    };
    await context.turn(script, { needs: ['elicitation.url'], action: 'consent', values: { url } });
  },
  'questions/decline': inTurn({ needs: ['elicitation'], action: 'decline' }, async (turn, context) => {
    const questions = [
      ['elicitation.form', form({ name: { ...name, default: 'Ada' } })],
      ['elicitation.url', page('http://127.0.0.1:9/')],
    ] as const;
    for (const [, question] of questions.filter(([capability]) => turn.agent.clientOffers(capability))) {
      const reply = await turn.ask(method, question);
      const sent = Object.keys(asMessage(at(reply.result, 'content')) ?? {});
      const isDeclined = actionOf(reply) === 'decline' && sent.length === 0;
      context.see.check('R306', !isDeclined && `the user declined, but the client answered ${answerOf(reply)}`, reply);
    }
  }),
  'questions/not-offered': async (context) => {
    const path = context.sibling('project', 'there.txt');
    await writeFile(path, 'there');
    const requests = [
      ['fs.readTextFile', 'fs/read_text_file', { path }],
      ['fs.writeTextFile', 'fs/write_text_file', { path, content: 'here' }],
      ['terminal', 'terminal/create', { command: process.execPath, args: ['--version'] }],
      ['elicitation.form', method, form({ name })],
      ['elicitation.url', method, page('http://127.0.0.1:9/')],
      ['elicitation.hologram', method, { ...form({}), mode: 'hologram' }],
    ] as const;
    await context.turn(async (turn) => {
      for (const [capability, asks, params] of requests) {
        if (turn.agent.clientOffers(capability)) continue;
        // Audit rules judge whether and how the client refuses.
        const { error } = await turn.ask(asks, params);
        if (asks === method && error?.code === -32_601)
          context.see.unseen('R289', 'the client does not support elicitation/create');
      }
      if (['fs.readTextFile', 'fs.writeTextFile', 'terminal'].every((each) => turn.agent.clientOffers(each)))
        context.see.unseen('R207', 'the client offers everything: files and terminals');
    });
  },
};

/** Stops the scenario unless a plain form is filled in: otherwise other forms would prove nothing. */
async function filledIn(turn: SimulatedTurn): Promise<void> {
  const reply = await turn.ask(method, form({ name }, ['name']));
  if (contentOf(reply)['name'] !== answers.name) throw new Stopped(`a plain form was answered with ${answerOf(reply)}`);
}

/** Runs a turn of a client whose user has prepared answers: without answers a form would prove nothing. */
async function asked(
  context: ClientContext,
  script: (turn: SimulatedTurn) => Promise<void>,
  needs: 'elicitation.form' | 'elicitation.url' = 'elicitation.form',
): Promise<Done> {
  const path = context.sibling('answers.json');
  await writeFile(path, JSON.stringify(answers));
  const action = needs === 'elicitation.form' || context.can('answer') ? 'answer' : 'prompt';
  return context.turn(script, { needs: [needs], action, values: { answers: path } });
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

/** The accepted content; empty unless the form was accepted. */
function contentOf(reply: Reply): RawMessage {
  return (actionOf(reply) === 'accept' ? asMessage(at(reply.result, 'content')) : undefined) ?? {};
}
