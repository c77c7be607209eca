import { asMessage, at, objectsIn, type RawMessage } from '../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../mutant-line.ts';
import type { Oddity } from './oddities.ts';
import { answering, erring, errorLine, paramsOf, resultLine } from './protocol/said.ts';
import { inventing, misreading, promptIn, withPrompt } from './sessions/defects.ts';
import { answersPrompts, asError, asks, choosing, stopReasonOf, tells, withStopReason } from './turns/tampered.ts';

const judges = 'agent';
const ask = 'session/request_permission';
const toClient = /^(?:fs|terminal)\//;

/** Forgets a cancel that arrives while the client answers one of its requests. */
const losingCancels: Defect = () => {
  const open = new Set<unknown>();
  return {
    says: (message) => {
      if (toClient.test(String(message['method']))) open.add(message['id']);
      return [message];
    },
    hears: (message) => {
      if (message['method'] === undefined) open.delete(message['id']);
      return message['method'] === 'session/cancel' && open.size > 0 ? [] : [message];
    },
  };
};

/** Forgets a cancel that arrives in one write with another request. */
const losingJoinedCancels: Defect = () => {
  let opened = -1;
  return {
    hears: (message) => {
      if (message['method'] === 'session/new') opened = performance.now();
      return message['method'] === 'session/cancel' && performance.now() - opened < 20 ? [] : [message];
    },
  };
};

/** Carries out again, without a question, what was allowed once. */
function remembering(isSame: (one: RawMessage, other: RawMessage) => boolean): Defect {
  return ({ toSubject }) => {
    const allowed: RawMessage[] = [];
    return {
      says: (message) => {
        if (message['method'] !== ask) return [message];
        const params = paramsOf(message);
        const call = asMessage(params['toolCall']) ?? {};
        if (allowed.some((each) => isSame(each, call))) {
          toSubject(JSON.stringify(choosing('allow_once', message, params)));
          return [];
        }
        allowed.push(call);
        return [message];
      },
      hears: (message) => [message],
    };
  };
}

/** Asks for permission with the id of the tool call before. */
const askingForTheCallBefore: Defect = () => {
  const ids: unknown[] = [];
  return {
    says: (message) => {
      const params = paramsOf(message);
      const { sessionUpdate, toolCallId } = asMessage(params['update']) ?? {};
      if (sessionUpdate === 'tool_call' && toolCallId !== ids.at(-1)) ids.push(toolCallId);
      const toolCall = { ...asMessage(params['toolCall']), toolCallId: ids.at(-2) ?? ids.at(-1) };
      return [message['method'] === ask ? { ...message, params: { ...params, toolCall } } : message];
    },
  };
};

type Select = RawMessage & { readonly currentValue: string };

/** Gives the agent an option for its model, which `announce` reports, and one for the effort that each model limits. */
function withModels(announce: (model: string) => { readonly model?: string; readonly effort?: string }): Defect {
  return ({ toKit }) => {
    let model = 'small';
    const options = (told: { readonly model?: string; readonly effort?: string }): readonly Select[] => {
      const shown = told.model ?? model;
      const effort = told.effort ?? (shown === 'small' ? 'low' : 'high');
      const efforts = shown === 'small' ? ['low'] : ['high', 'highest'];
      return [
        {
          id: 'llm',
          name: 'Model',
          category: 'model',
          type: 'select',
          currentValue: shown,
          options: valuesOf(['small', 'large']),
        },
        {
          id: 'effort',
          name: 'Effort',
          category: 'thought_level',
          type: 'select',
          currentValue: effort,
          options: valuesOf(efforts),
        },
      ];
    };
    return {
      hears: (message) => {
        const { configId, value } = paramsOf(message);
        if (message['method'] !== 'session/set_config_option' || !['llm', 'effort'].includes(String(configId)))
          return [message];
        const known = configId === 'llm' ? ['small', 'large'] : ['low', 'high', 'highest'];
        if (!known.includes(String(value))) {
          toKit(errorLine(message, -32_602));
          return [];
        }
        if (configId === 'llm') model = String(value);
        toKit(
          resultLine(message, {
            configOptions: options(configId === 'llm' ? announce(model) : announceLater(announce, model)),
          }),
        );
        return [];
      },
      says: (message) => {
        const result = asMessage(message['result']);
        const isSetUp = result?.['sessionId'] !== undefined;
        return [isSetUp ? { ...message, result: { ...result, configOptions: options({}) } } : message];
      },
    };
  };
}

/** What an agent reports when another option is set: an answer to the model alone may have been right. */
function announceLater(
  announce: (model: string) => { readonly model?: string },
  model: string,
): { readonly model?: string } {
  const { model: shown } = announce(`${model}, later`);
  return shown === undefined ? {} : { model: shown };
}

function valuesOf(values: readonly string[]): readonly RawMessage[] {
  return values.map((value) => ({ value, name: value }));
}

/** Runs commands in the folder of the session that was created last. */
const movingAlong: Defect = () => {
  let last = '';
  return {
    hears: (message) => {
      const params = paramsOf(message);
      if (message['method'] === 'session/new') last = String(params['cwd']);
      const isRun = message['method'] === 'session/prompt' && promptIn(params).startsWith('run ');
      return [
        isRun
          ? { ...message, params: withPrompt(params, promptIn(params).replace('run ', `run cd ${last} && `)) }
          : message,
      ];
    },
  };
};

/** Prints once in an empty home folder. */
function greeting(words: string, method: string): Defect {
  return ({ toKit, home }) => ({
    hears: (message) => {
      if (home !== undefined && message['method'] === method) toKit(words);
      return [message];
    },
  });
}

function startingServers(change: (server: RawMessage) => RawMessage): Defect {
  return misreading(['session/new'], (params) => ({
    ...params,
    mcpServers: objectsIn(params['mcpServers']).map(change),
  }));
}

const argsOf = ({ args }: RawMessage): readonly string[] => args as readonly string[];

/** Prompts that the agent does not see, and the text that it says instead. */
function sayingInstead(words: string): Defect {
  return tells((update) =>
    update['sessionUpdate'] === 'agent_message_chunk' ? { ...update, content: { type: 'text', text: words } } : update,
  );
}

/** Answers a prompt during another one. */
function whileBusy(answer: (message: RawMessage) => string): Defect {
  return (tampering) => {
    let open: unknown;
    const { hears } = answering((message) => {
      if (message['method'] !== 'session/prompt') return undefined;
      if (open !== undefined) return answer(message);
      open = message['id'];
      return undefined;
    })(tampering);
    return {
      ...(hears && { hears }),
      says: (message) => {
        if (message['method'] === undefined && message['id'] === open) open = undefined;
        return [message];
      },
    };
  };
}

/** Agents whose faults show in a later message, in another process, or in what they start. */
export const lastingMutants: readonly Mutant[] = [
  {
    name: 'forgets a cancel while the client answers it',
    judges,
    scenario: 'cancel/in-flight',
    breaks: 'R159',
    defect: losingCancels,
  },
  {
    name: 'fails when a cancel arrives while the client answers it',
    judges,
    scenario: 'cancel/in-flight',
    breaks: 'R160',
    defect: answersPrompts((answer) => [stopReasonOf(answer) === 'cancelled' ? asError(answer) : answer]),
  },
  {
    name: 'forgets a cancel that follows another request',
    judges,
    scenario: 'cancel/one-session',
    breaks: 'R159',
    defect: losingJoinedCancels,
  },
  {
    name: 'remembers what was allowed once',
    judges,
    scenario: 'permission/once',
    breaks: 'R410',
    defect: remembering((one, other) => one['title'] === other['title']),
  },
  {
    name: 'remembers that commands were allowed once',
    judges,
    scenario: 'permission/once',
    breaks: 'R410',
    defect: remembering((one, other) => one['kind'] === other['kind']),
  },
  {
    name: 'asks for permission for a tool call that it never reports',
    judges,
    scenario: 'tool-calls/permitted',
    breaks: 'R409',
    defect: asks(ask, (params) => ({ ...params, toolCall: { ...asMessage(params['toolCall']), toolCallId: 'never' } })),
  },
  {
    name: 'asks for permission with the id of an earlier tool call',
    judges,
    scenario: 'permission/once',
    breaks: 'R409',
    defect: askingForTheCallBefore,
  },
  {
    name: 'keeps the value of another option after the model has changed',
    judges,
    scenario: 'config-options/model',
    breaks: 'R260',
    defect: withModels((model) => (model === 'large' ? { effort: 'low' } : {})),
  },
  {
    name: 'answers with the model from before',
    judges,
    scenario: 'config-options/model',
    breaks: 'R270',
    defect: withModels((model) => (model === 'large' ? { model: 'small' } : {})),
  },
  {
    name: 'forgets the model when another option is set',
    judges,
    scenario: 'config-options/model',
    breaks: 'R270',
    defect: withModels((model) => (model.endsWith('later') ? { model: 'small' } : {})),
  },
  {
    name: 'prints a greeting at its first run',
    judges,
    scenario: 'stdout/first-run',
    breaks: 'R009',
    defect: greeting('Welcome!', 'initialize'),
  },
  {
    name: 'logs to stdout when it creates its data',
    judges,
    scenario: 'stdout/first-run',
    breaks: 'R005',
    defect: greeting('{"level":"info","msg":"created the database"}', 'session/new'),
  },
  {
    name: 'runs commands in the folder of the newest session',
    judges,
    scenario: 'command-folder/two-sessions',
    breaks: 'R080',
    defect: movingAlong,
  },
  {
    name: 'replaces the environment of MCP servers',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R412',
    defect: startingServers((server) => {
      const env = objectsIn(server['env']).map(({ name, value }) => `${String(name)}=${String(value)}`);
      return { ...server, command: '/usr/bin/env', args: ['-i', ...env, String(server['command']), ...argsOf(server)] };
    }),
  },
  {
    name: 'joins the arguments of MCP servers',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R112',
    defect: startingServers((server) => ({ ...server, args: [argsOf(server).join(' ')] })),
  },
  {
    name: 'creates terminals without a folder',
    judges,
    scenario: 'command-folder/terminal',
    breaks: 'R413',
    defect: asks('terminal/create', ({ cwd: _, ...params }) => params),
  },
  {
    name: 'reports a missing login as an internal error',
    judges,
    scenario: 'authentication/login',
    breaks: 'R414',
    needs: 'login',
    defect: erring((error) => ({ ...error, code: -32_603, message: 'Internal error' })),
  },
  {
    name: 'says only in words that a login is missing',
    judges,
    scenario: 'authentication/logout',
    breaks: 'R414',
    needs: 'login',
    defect: erring((error) => ({ ...error, code: -32_603, message: 'Please log in first.' })),
  },
  {
    name: 'asks for a login while it is busy',
    judges,
    scenario: 'prompt-turn/overlap',
    breaks: 'R414',
    defect: whileBusy((message) => errorLine(message, -32_000, 'Server busy')),
  },
  {
    name: 'reports a failed prompt as finished',
    judges,
    scenario: 'prompt-turn/answer',
    breaks: 'R415',
    defect: sayingInstead('API Error: 401 {"type":"error"}'),
  },
  {
    name: 'reports a prompt as finished that it dropped',
    judges,
    scenario: 'prompt-turn/overlap',
    breaks: 'R415',
    defect: whileBusy((message) => resultLine(message, { stopReason: 'end_turn' })),
  },
];

/** Conforming agents that are unusual in what lasts. */
export const lastingOddities: readonly Oddity[] = [
  {
    name: 'refuses a prompt while it is busy',
    scenarios: ['prompt-turn/overlap'],
    defect: whileBusy((message) => errorLine(message, -32_600, 'The session is busy')),
  },
  {
    name: 'talks about errors',
    scenarios: ['prompt-turn/answer'],
    defect: sayingInstead('There was no error, quite the contrary.'),
  },
  {
    name: 'does not do twice what it was told once',
    scenarios: ['permission/once'],
    defect: (tampering) => {
      let runs = 0;
      return inventing('session/prompt', () => ((runs += 1) > 1 ? { result: { stopReason: 'end_turn' } } : undefined))(
        tampering,
      );
    },
  },
  {
    name: 'has models with efforts of their own',
    scenarios: ['config-options/model', 'config-options/set'],
    defect: withModels(() => ({})),
  },
  {
    name: 'refuses another model',
    scenarios: ['config-options/model'],
    defect: (tampering) => {
      const models = withModels(() => ({}))(tampering);
      const { hears } = answering((message) =>
        message['method'] === 'session/set_config_option' && paramsOf(message)['configId'] === 'llm'
          ? errorLine(message, -32_603, 'your account has no access to it')
          : undefined,
      )(tampering);
      return { ...models, ...(hears && { hears }) };
    },
  },
  {
    name: 'gives MCP servers a variable more',
    scenarios: ['mcp/stdio'],
    defect: startingServers((server) => ({
      ...server,
      env: [...objectsIn(server['env']), { name: 'AGENT', value: '1' }],
    })),
  },
  {
    name: 'reports a tool call only after its permission request',
    scenarios: ['tool-calls/permitted', 'permission/once'],
    defect: () => {
      const announced = new Map<unknown, RawMessage>();
      return {
        says: (message) => {
          const update = asMessage(paramsOf(message)['update']);
          const id = update?.['toolCallId'] ?? at(paramsOf(message), 'toolCall', 'toolCallId');
          if (update?.['sessionUpdate'] === 'tool_call' && update['status'] !== 'completed' && !announced.has(id)) {
            announced.set(id, message);
            return [];
          }
          const held = announced.get(id);
          if (held === undefined || message['method'] === ask) return [message];
          announced.set(id, {});
          return held['method'] === undefined ? [message] : [held, message];
        },
      };
    },
  },
  {
    name: 'cancels its turn only after the client has answered its request',
    scenarios: ['cancel/in-flight'],
    defect: () => {
      const open = new Set<unknown>();
      const held: RawMessage[] = [];
      return {
        says: (message) => {
          if (toClient.test(String(message['method']))) open.add(message['id']);
          return [message];
        },
        hears: (message) => {
          if (message['method'] === undefined) open.delete(message['id']);
          if (message['method'] === 'session/cancel' && open.size > 0) {
            held.push(message);
            return [];
          }
          return [...held.splice(0), message];
        },
      };
    },
  },
  {
    name: 'ends a turn by itself with another reason',
    scenarios: ['prompt-turn/answer', 'prompt-turn/overlap'],
    defect: answersPrompts((answer) => [withStopReason(answer, 'max_tokens')]),
  },
];
