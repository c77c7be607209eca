import { checks, methods } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import { type AgentSubject, commandSubject } from '../src/agent/agent-subject.ts';
import { Chance } from '../src/fuzz/chance.ts';
import { fuzzAgent } from '../src/fuzz/fuzz-agent.ts';
import { valueOf } from '../src/fuzz/value-of-shape.ts';
import { asMessage, type RawMessage } from '../src/wire/messages.ts';
import { type Defect, mutantAgent } from './mutants/mutant-line.ts';
import { agentHome, builtInAgent } from './peers/built-in-agent.ts';

/** Answer timeout in milliseconds: longer than the fuzzer's default on a busy machine. */
const timeout = within(10_000);

/** The fault that is found in the built-in agent with a defect, and the minimised lines. */
async function foundIn(
  defect: Defect,
): Promise<{ readonly rule: string | undefined; readonly lines: readonly string[] }> {
  await using home = await agentHome();
  const subject = mutantAgent(builtInAgent(home), defect);
  const { failure } = await fuzzAgent(subject, { seed: 1, seconds: within(20) });
  const steps = failure?.steps ?? [];
  return { rule: failure?.rule, lines: steps.flatMap((step) => ('line' in step ? [step.line] : [])) };
}

function cwdOf(message: RawMessage): unknown {
  return asMessage(message['params'])?.['cwd'];
}

const paramsOfMethods = Object.entries(methods).map(([method, { params }]) => ({ method, params }));

test.each(paramsOfMethods)('random parameters of $method match the schema', ({ params }) => {
  const values = Array.from({ length: 200 }, (_, run) => valueOf(params, Chance.from(1, run)));
  const fits = (value: unknown): boolean =>
    checks[params](JSON.parse(JSON.stringify(value).replaceAll('{folder}', '/tmp')));
  expect(values.filter((value) => !fits(value))).toEqual([]);
});

describe.concurrent('fuzzing:', () => {
  test('the built-in agent withstands 20 random sequences', async () => {
    await using home = await agentHome();
    const { failure, runs } = await fuzzAgent(builtInAgent(home), { seed: 1, runs: 20, seconds: within(50), timeout });
    expect({ failure, runs }).toEqual({ failure: undefined, runs: 20 });
  });

  test('an agent that crashes on one invalid value is found, and the sequence is minimised to one line', async () => {
    const { rule, lines } = await foundIn(({ end }) => ({
      hears: (message) => {
        if (message['method'] === 'session/new' && typeof cwdOf(message) !== 'string') end();
        return [message];
      },
    }));
    const [line = '{}'] = lines;
    const { method, params } = JSON.parse(line) as RawMessage;
    const cwd = asMessage(params)?.['cwd'];
    const isOdd = method === 'session/new' && typeof cwd !== 'string';
    expect({ rule, lines: lines.length, isOdd }).toEqual({ rule: 'lives', lines: 1, isOdd: true });
  });

  test('an agent that crashes on the second of two calls is found, and the sequence is minimised to both', async () => {
    const { rule, lines } = await foundIn(({ end }) => {
      let isListed = false;
      return {
        hears: (message) => {
          if (isListed && message['method'] === 'session/delete') end();
          isListed ||= message['method'] === 'session/list';
          return [message];
        },
      };
    });
    const called = lines.map((line) => (JSON.parse(line) as RawMessage)['method']);
    expect({ rule, called }).toEqual({ rule: 'lives', called: ['session/list', 'session/delete'] });
  });

  test('an agent that answers a request twice is found', async () => {
    const { rule } = await foundIn(() => ({
      says: (message) => ('method' in message || typeof message['id'] !== 'string' ? [message] : [message, message]),
    }));
    expect(rule).toBe('answers');
  });

  test('an agent that answers notifications is found', async () => {
    const { rule } = await foundIn(({ toKit }) => ({
      hears: (message) => {
        if (message['method'] === 'session/cancel' && !('id' in message))
          toKit('{"jsonrpc":"2.0","id":"nobody","result":{}}');
        return [message];
      },
    }));
    expect(rule).toBe('silence');
  });

  test('an agent that prints other text than messages is found', async () => {
    const { rule } = await foundIn(({ toKit }) => ({
      hearsNoise: (text) => {
        toKit(`cannot read ${text}`);
        return [text];
      },
    }));
    expect(rule).toBe('frames');
  });

  test('the seed and path of a failure reproduce it', async () => {
    await using home = await agentHome();
    const dying = mutantAgent(builtInAgent(home), ({ end }) => ({
      hearsNoise: (text) => {
        end();
        return [text];
      },
    }));
    const { failure, seed } = await fuzzAgent(dying, { seconds: within(20) });
    const again = await fuzzAgent(dying, { seed, path: failure?.path ?? '' });
    expect(again.failure?.steps).toEqual(failure?.steps);
  });

  test('a process that exits is found, and its last output is reported', async () => {
    const program = `
    let rest = '';
    process.stdin.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\\n');
      rest = lines.pop();
      for (const line of lines) {
        if (line.trim() === '{') { console.error('this is no JSON'); process.exit(1); }
        try {
          const { id, method } = JSON.parse(line);
          if (id === undefined || method === undefined) continue;
          console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
        } catch { console.log('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}'); }
      }
    });`;
    const subject = commandSubject([process.execPath, '-e', program], { PATH: process.env['PATH'] });
    const { failure } = await fuzzAgent(subject, { seed: 1, seconds: within(20) });
    expect({ rule: failure?.rule, message: failure?.message, steps: failure?.steps }).toEqual({
      rule: 'lives',
      message: 'the connection ended; its last output is: this is no JSON',
      steps: [{ line: '{' }],
    });
  });

  test('an agent that cannot be started rejects the search and is not a finding', async () => {
    const absent: AgentSubject = { name: 'absent', open: () => Promise.reject(new Error('there is no such program')) };
    await expect(fuzzAgent(absent, { seconds: 5 })).rejects.toThrow('there is no such program');
  });

  test('an aborted search reports its progress', async () => {
    await using home = await agentHome();
    const controller = new AbortController();
    const { runs, failure } = await fuzzAgent(builtInAgent(home), {
      seed: 1,
      timeout,
      signal: controller.signal,
      onRun: () => controller.abort(),
    });
    expect({ runs, failure }).toEqual({ runs: 1, failure: undefined });
  });
});
