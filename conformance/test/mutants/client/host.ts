import { clientScenarios } from '../../../src/client/scenarios/scenarios.ts';
import { asMessage, type RawMessage } from '../../../src/wire/messages.ts';
import { type ClientMutant, crashesAfter, crashesAt, sends } from '../client-mutant.ts';
import { answersTo, answersWith, changesResult, misreadsSetup, mistakes, refuses } from './host-defects.ts';
import { terminalsMutants } from './host-terminals.ts';

const read = 'fs/read_text_file';
const write = 'fs/write_text_file';
const ask = 'session/request_permission';
const elicit = 'elicitation/create';

const at =
  (part: string) =>
  ({ path }: RawMessage): boolean =>
    String(path).includes(part);

const filesMutants: readonly ClientMutant[] = [
  {
    name: 'counts lines from 0',
    scenario: 'files/lines',
    breaks: 'R025',
    defect: mistakes(read, (params) => ({
      ...params,
      line: typeof params['line'] === 'number' ? params['line'] + 1 : params['line'],
    })),
  },
  { name: 'has no word for missing files', scenario: 'files/missing', breaks: 'R214', defect: refuses(read, -32_603) },
  {
    name: 'accepts relative paths',
    scenario: 'files/relative',
    breaks: 'R370',
    defect: answersWith(read, { content: 'here' }),
  },
  {
    name: 'offers to read files but cannot',
    scenario: 'files/lines',
    breaks: 'R025',
    defect: refuses(read, -32_601),
  },
  {
    name: 'offers to write files but cannot',
    scenario: 'files/write',
    breaks: 'R212',
    defect: refuses(write, -32_601),
  },
  {
    name: 'creates files outside of its folders',
    scenario: 'files/outside',
    breaks: 'R104',
    defect: answersWith(write, {}, at('secrets/new.txt')),
  },
  ...['loose-link', 'folder-link/deep'].map((part): ClientMutant => ({
    name: `creates files outside through links: ${part}`,
    scenario: 'files/links',
    breaks: 'R101',
    defect: answersWith(write, {}, at(part)),
  })),
  {
    name: 'reads files outside of its folders',
    scenario: 'files/outside',
    breaks: 'R104',
    defect: answersWith(read, { content: 'secret' }, at('secret')),
  },
  {
    name: 'overwrites files outside of its folders',
    scenario: 'files/outside',
    breaks: 'R104',
    defect: answersWith(write, {}, at('-of-others')),
  },
  {
    name: 'follows links out of its folders',
    scenario: 'files/links',
    breaks: 'R370',
    defect: answersWith(read, { content: 'secret' }, at('folder-link')),
  },
  {
    name: 'knows only one folder',
    scenario: 'files/more-folders',
    breaks: 'R082',
    defect: refuses(read, -32_602),
  },
  {
    name: 'appends to files',
    scenario: 'files/write',
    breaks: 'R212',
    defect: mistakes(write, (params) => ({ ...params, content: `before${String(params['content'])}` })),
  },
  {
    name: 'does not create files',
    scenario: 'files/write',
    breaks: 'R210',
    defect: refuses(write, -32_002, at('new.txt')),
  },
  {
    name: 'does not create folders',
    scenario: 'files/write',
    breaks: 'R211',
    defect: refuses(write, -32_002, at('deep')),
  },
];

const firstOption = answersTo(ask, (answer, { options }) => {
  const { optionId } = (options as readonly RawMessage[])[0] ?? {};
  return [{ ...answer, result: { outcome: { outcome: 'selected', optionId } } }];
});

const permissionMutants: readonly ClientMutant[] = [
  ...(['R197', 'R203'] as const).map((breaks) => ({
    name: `selects the first option of any kind when it should allow: ${breaks}`,
    scenario: 'permission/allowed',
    breaks,
    defect: firstOption,
  })),
  ...(['R197', 'R204'] as const).map((breaks) => ({
    name: `selects the first option of any kind when it should refuse: ${breaks}`,
    scenario: 'permission/refused',
    breaks,
    defect: firstOption,
  })),
  ...['permission/allowed', 'permission/refused'].map((scenario): ClientMutant => ({
    name: `does not answer permission requests: ${scenario}`,
    scenario,
    breaks: 'R019',
    defect: answersTo(ask, () => []),
  })),
  ...['permission/known-call', 'permission/odd-meta'].map((scenario): ClientMutant => ({
    name: `does not implement permission requests: ${scenario}`,
    scenario,
    breaks: 'R197',
    defect: refuses(ask, -32_601),
  })),
  {
    name: 'allows what it should refuse when no option refuses',
    scenario: 'permission/refused',
    breaks: 'R197',
    defect: answersTo(ask, (answer, { options }) => {
      const known = options as readonly RawMessage[];
      const isOneWay = known.every(({ kind }) => String(kind).startsWith('allow'));
      const optionId = known[0]?.['optionId'];
      return [isOneWay ? { ...answer, result: { outcome: { outcome: 'selected', optionId } } } : answer];
    }),
  },
  {
    name: 'requires a title in every permission request',
    scenario: 'permission/known-call',
    breaks: 'R205',
    defect: refuses(ask, -32_602, ({ toolCall }) => typeof asMessage(toolCall)?.['title'] !== 'string'),
  },
  {
    name: 'rejects unknown metadata',
    scenario: 'permission/odd-meta',
    breaks: 'R281',
    defect: refuses(ask, -32_602, ({ _meta }) => asMessage(_meta)?.['terminal_info'] === 7),
  },
];

const fieldsOf = ({ requestedSchema }: RawMessage): RawMessage =>
  asMessage(asMessage(requestedSchema)?.['properties']) ?? {};

const questionsMutants: readonly ClientMutant[] = [
  {
    name: 'invents a size',
    scenario: 'questions/form',
    breaks: 'R296',
    defect: changesResult(elicit, (result) => ({ ...result, content: { ...asMessage(result['content']), size: 's' } })),
  },
  {
    name: 'answers with an unknown action',
    scenario: 'questions/form',
    breaks: 'R306',
    defect: answersWith(elicit, { action: 'perhaps' }),
  },
  {
    name: 'drops required fields',
    scenario: 'questions/form',
    breaks: 'R312',
    defect: answersWith(elicit, { action: 'accept', content: { age: 36 } }),
  },
  {
    name: 'does not validate strings',
    scenario: 'questions/invalid-answers',
    breaks: 'R295',
    defect: mistakes(elicit, (params) => {
      const properties = Object.keys(fieldsOf(params)).map((key) => [key, { type: 'string' }]);
      return { ...params, requestedSchema: { type: 'object', properties: Object.fromEntries(properties) } };
    }),
  },
  {
    name: 'does not validate bounds',
    scenario: 'questions/invalid-answers',
    breaks: 'R295',
    defect: mistakes(elicit, (params) => {
      const properties = Object.entries(fieldsOf(params)).map(([key, property]) => {
        const { type, items } = asMessage(property) ?? {};
        return [key, { type, ...(items !== undefined && { items }) }];
      });
      return { ...params, requestedSchema: { type: 'object', properties: Object.fromEntries(properties) } };
    }),
  },
  {
    name: 'hangs on a pattern',
    scenario: 'questions/pattern',
    breaks: 'R299',
    defect: answersTo(elicit, (answer, params) => ('letters' in fieldsOf(params) ? [] : [answer])),
  },
  {
    name: 'treats an unknown type as a string',
    scenario: 'questions/unknown-kinds',
    breaks: 'R300',
    defect: answersWith(
      elicit,
      { action: 'accept', content: { colour: 'red' } },
      (params) => 'colour' in fieldsOf(params),
    ),
  },
  {
    name: 'rejects unknown formats',
    scenario: 'questions/unknown-kinds',
    breaks: 'R300',
    defect: refuses(elicit, -32_602, (params) => asMessage(fieldsOf(params)['name'])?.['format'] !== undefined),
  },
  {
    name: 'fetches a page before the user consented',
    scenario: 'questions/page',
    breaks: 'R301',
    defect: () => ({
      hears: (message) => {
        const url = asMessage(message['params'])?.['url'];
        if (typeof url === 'string') void fetch(url).catch(() => undefined);
        return [message];
      },
    }),
  },
  {
    name: 'accepts every page without consent',
    scenario: 'questions/page',
    breaks: 'R301',
    defect: answersWith(elicit, { action: 'accept' }),
  },
  { name: 'knows how an id looks', scenario: 'questions/page', breaks: 'R313', defect: refuses(elicit, -32_602) },
  {
    name: 'crashes on an unknown elicitation id',
    scenario: 'questions/page',
    breaks: 'R336',
    defect: crashesAt('unknown-question'),
  },
  {
    name: 'cancels a page that the user consented to',
    scenario: 'questions/consent',
    breaks: 'R306',
    defect: answersWith(elicit, { action: 'cancel' }),
  },
  {
    name: 'sends the form although the user declined',
    scenario: 'questions/decline',
    breaks: 'R306',
    defect: answersWith(elicit, { action: 'accept', content: { name: 'Ada' } }),
  },
  {
    name: 'sends the content of the form when it declines',
    scenario: 'questions/decline',
    breaks: 'R306',
    defect: changesResult(elicit, (result) => ({ ...result, content: { name: 'Ada' } })),
  },
  {
    name: 'serves requests that it does not offer',
    scenario: 'questions/not-offered',
    breaks: 'R207',
    defect: sends('initialize', (params) => ({ ...params, clientCapabilities: {} })),
  },
  {
    name: 'accepts question modes that it does not offer',
    scenario: 'questions/not-offered',
    breaks: 'R289',
    defect: answersWith(elicit, { action: 'cancel' }),
  },
];

const options = (setup: RawMessage): readonly RawMessage[] => setup['configOptions'] as readonly RawMessage[];

const settingsMutants: readonly ClientMutant[] = [
  {
    name: 'sets an invented mode',
    scenario: 'settings/mode',
    breaks: 'R249',
    defect: sends('session/set_mode', (params) => ({ ...params, modeId: 'mine' })),
  },
  {
    name: 'sets any mode',
    scenario: 'settings/unknown-mode',
    breaks: 'R249',
    defect: misreadsSetup(({ modes, ...setup }) => ({
      ...setup,
      modes: { ...asMessage(modes), availableModes: [{ id: 'no-such-mode', name: 'None' }] },
    })),
  },
  {
    name: 'does not know config options',
    scenario: 'settings/options-for-modes',
    breaks: 'R256',
    defect: misreadsSetup(({ modes, sessionId }) => ({ modes, sessionId })),
  },
  {
    name: 'sets an invented value',
    scenario: 'settings/option',
    breaks: 'R268',
    defect: sends('session/set_config_option', (params) => ({ ...params, value: 'mine' })),
  },
  {
    name: 'sets any value',
    scenario: 'settings/unknown-value',
    breaks: 'R268',
    defect: misreadsSetup((setup) => ({
      ...setup,
      configOptions: options(setup).map((option) => ({ ...option, options: [{ value: 'enormous', name: 'Any' }] })),
    })),
  },
  {
    name: 'sets a boolean without its type',
    scenario: 'settings/boolean',
    breaks: 'R268',
    defect: sends('session/set_config_option', ({ type: _, ...params }) => params),
  },
  ...(['R262', 'R263', 'R265', 'R267'] as const).map((breaks) => ({
    name: `crashes on unknown options: ${breaks}`,
    scenario: 'settings/odd-options',
    breaks,
    defect: crashesAt('slider'),
  })),
  {
    name: 'ignores options in groups',
    scenario: 'settings/groups',
    breaks: 'R274',
    defect: misreadsSetup((setup) => ({ ...setup, configOptions: options(setup).slice(0, 1) })),
  },
];

const newsMutants: readonly ClientMutant[] = clientScenarios
  .filter(({ id }) => id.startsWith('news/'))
  .map(({ id, title }) => ({
    name: `does not survive: ${title}`,
    scenario: id,
    breaks: 'R336',
    defect: crashesAfter('session/prompt'),
  }));

/** Clients with faults in host features, one each. */
export const hostMutants: readonly ClientMutant[] = [
  ...filesMutants,
  ...terminalsMutants,
  ...permissionMutants,
  ...questionsMutants,
  ...settingsMutants,
  ...newsMutants,
];
