import { configChoice, unansweredChoice } from './config-option.ts';
import { annotationExtras, flatResource, resourceLink, untypedText } from './content.ts';
import type { Dialect, Reading } from './dialect.ts';
import { goReferenceError, pharoError } from './error.ts';
import { lineRange } from './file-system.ts';
import {
  authenticationMethods,
  authMethodKeys,
  capabilitiesAs,
  mcpTransportFlags,
  promptContentList,
  supportedTransports,
  terminalFlags,
} from './initialize.ts';
import { bareQuestion, isPermissionAnswer, optionLabel, permissionAnswer } from './permission.ts';
import { planSteps } from './plan.ts';
import { answerMessages } from './prompt-result.ts';
import { paramsReading, resultReading } from './reading.ts';
import { each, within, type Rule } from './rule.ts';
import {
  modesFromInitialize,
  noServers,
  serverMap,
  serverMaps,
  serverNames,
  stdioType,
  storedDirectory,
  transportAsType,
} from './session-setup.ts';
import {
  currentMode,
  kindAsVariant,
  mayHoldAliases,
  toChunks,
  toToolCalls,
  typeAsVariant,
  updateReading,
} from './session-update.ts';
import { environmentMap, outputExitCode, outputTruncated, waitOutput, waitTimeout } from './terminal.ts';
import {
  bareBlock,
  cancelledStatus,
  diffContents,
  diffType,
  inputAndOutput,
  singleLocation,
  terminalDetails,
  toolKind,
} from './tool-call.ts';

/** The rules of a profile beyond `lenient`. Its rules come before the lenient ones. */
interface Additions {
  readonly block?: readonly Rule[];
  readonly toolContent?: readonly Rule[];
  readonly toolCall?: readonly Rule[];
  readonly update?: readonly Rule[];
  /** Updates that are examined although they fit the schema. Default: only tool calls. */
  readonly mayDeviate?: (params: unknown) => boolean;
  readonly params?: Readonly<Record<string, readonly Rule[]>>;
  readonly results?: Readonly<Record<string, readonly Rule[]>>;
  readonly error?: Dialect['error'];
}

type RulesByMethod = Readonly<Record<string, readonly Rule[]>>;

/** The rules for the messages that one side receives. */
interface Half {
  readonly params?: RulesByMethod;
  readonly results?: RulesByMethod;
  /** Those that take more than rules. */
  readonly paramReadings?: Readonly<Record<string, Reading>>;
  readonly resultReadings?: Readonly<Record<string, Reading>>;
}

interface LenientRules {
  readonly block: readonly Rule[];
  readonly toolCall: readonly Rule[];
}

type HalfOf = (rules: LenientRules, additions: Additions) => Half;

const agentHalf: HalfOf = ({ block }) => {
  const servers = [serverMap, each('mcpServers', [serverMaps, stdioType, transportAsType])];
  return {
    params: {
      'session/new': servers,
      'session/load': servers,
      'session/resume': servers,
      'session/set_config_option': [configChoice],
      'session/prompt': [each('prompt', block)],
    },
    resultReadings: {
      'session/request_permission': { suspects: (value) => !isPermissionAnswer(value), rewrite: permissionAnswer },
    },
  };
};

const clientHalf: HalfOf = ({ block, toolCall }, additions) => {
  const agentCapabilities = [
    mcpTransportFlags,
    within('promptCapabilities', [promptContentList]),
    within('mcpCapabilities', [supportedTransports]),
  ];
  const aliases = [typeAsVariant, kindAsVariant, currentMode, toChunks(block), toToolCalls(toolCall)];
  const update = [...(additions.update ?? []), ...aliases];
  return {
    params: {
      'session/request_permission': [within('toolCall', toolCall)],
      'fs/read_text_file': [lineRange],
      'terminal/create': [environmentMap],
    },
    paramReadings: { 'session/update': updateReading(update, additions.mayDeviate ?? mayHoldAliases) },
    results: {
      initialize: [
        authenticationMethods,
        each('authMethods', [authMethodKeys]),
        within('agentCapabilities', agentCapabilities),
      ],
    },
  };
};

const bothHalves = [agentHalf, clientHalf];

function profile(name: Dialect['name'], additions: Additions, halves: readonly HalfOf[]): Dialect {
  const block = [...(additions.block ?? []), resourceLink, flatResource];
  const toolContent = [...(additions.toolContent ?? []), bareBlock, within('content', block)];
  const toolAliases = [toolKind, inputAndOutput, singleLocation];
  const toolCall = [...(additions.toolCall ?? []), ...toolAliases, each('content', toolContent)];
  const made = halves.map((half) => half({ block, toolCall }, additions));
  const all = <Key extends keyof Half>(key: Key): NonNullable<Half[Key]> =>
    Object.assign({}, ...made.map((half) => half[key]));
  return {
    name,
    params: { ...readings(paramsReading, additions.params, all('params')), ...all('paramReadings') },
    results: { ...readings(resultReading, additions.results, all('results')), ...all('resultReadings') },
    ...(additions.error && { error: additions.error }),
  };
}

const always = (): boolean => true;

function readings(
  reading: (rules: readonly Rule[]) => Reading,
  added: RulesByMethod = {},
  lenientRules: RulesByMethod,
): Record<string, Reading> {
  const names = new Set([...Object.keys(added), ...Object.keys(lenientRules)]);
  const rules = (name: string): readonly Rule[] => [...(added[name] ?? []), ...(lenientRules[name] ?? [])];
  return Object.fromEntries([...names].map((name) => [name, reading(rules(name))]));
}

/** Official forms only. */
export const strict: Dialect = { name: 'strict', params: {}, results: {} };

/** Official forms, and other spellings that cannot mean anything else and lose nothing. The default. */
export const lenient: Dialect = /* @__PURE__ */ (() => profile('lenient', {}, bothHalves))();

/** The rules of `lenient` for an agent. The bundle of an agent has no others. */
export const lenientAgent: Dialect = /* @__PURE__ */ (() => profile('lenient', {}, [agentHalf]))();

/** The rules of `lenient` for a client. */
export const lenientClient: Dialect = /* @__PURE__ */ (() => profile('lenient', {}, [clientHalf]))();

// Made in functions, so that a bundler leaves out a dialect that is not imported: the arguments of a pure call would stay.

/** `lenient`, and the forms of the Go reference, for a peer known to speak it. */
export const goReference: Dialect = /* @__PURE__ */ (() =>
  profile(
    'go-reference',
    {
      block: [untypedText],
      toolContent: [diffContents],
      toolCall: [cancelledStatus],
      update: [planSteps],
      mayDeviate: always,
      params: {
        initialize: [capabilitiesAs('clientCapabilities')],
        'session/load': [noServers],
      },
      results: {
        initialize: [capabilitiesAs('agentCapabilities')],
        'session/prompt': [answerMessages],
      },
      error: goReferenceError,
    },
    bothHalves,
  ))();

/** `lenient`, and the forms of the Pharo specification, for a peer known to speak it. */
export const pharo: Dialect = /* @__PURE__ */ (() =>
  profile(
    'pharo',
    {
      block: [annotationExtras],
      toolContent: [diffType, terminalDetails],
      mayDeviate: always,
      params: {
        initialize: [within('clientCapabilities', [terminalFlags])],
        'session/new': [serverNames],
        'session/load': [storedDirectory, serverNames],
        'session/resume': [serverNames],
        'session/request_permission': [bareQuestion, each('options', [optionLabel])],
        'terminal/wait_for_exit': [waitTimeout],
      },
      results: {
        'session/new': [modesFromInitialize],
        'session/load': [modesFromInitialize],
        'session/resume': [modesFromInitialize],
        'session/set_config_option': [unansweredChoice],
        'terminal/output': [outputExitCode, outputTruncated],
        'terminal/wait_for_exit': [waitOutput],
      },
      error: pharoError,
    },
    bothHalves,
  ))();
