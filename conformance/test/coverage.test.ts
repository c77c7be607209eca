import { describe, expect, test } from 'vitest';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { alwaysJudged } from '../src/audit/audited.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import { scenariosIn } from '../src/judge/scenario.ts';
import { soleScenarios } from '../src/judge/sole-scenarios.ts';
import type { CheckedVersion, Requirement, RequirementId, Subject } from '../src/requirements/requirement.ts';
import { requirements } from '../src/requirements/requirements.ts';
import { otherSources, sourcePage } from '../src/requirements/source-pages.ts';

type Covering = Pick<(typeof agentScenarios)[number], 'id' | 'covers' | 'versions' | 'over'>;

const all: Readonly<Record<Subject, readonly Covering[]>> = { agent: agentScenarios, client: clientScenarios };

function binding(kind: Subject, version: CheckedVersion): readonly Requirement[] {
  return requirements.filter(
    ({ binds, profile }) => (binds === kind || binds === 'both') && (profile === 'v2') === (version === 2),
  );
}

function levelOf(wanted: RequirementId): string {
  return requirements.find(({ id }) => id === wanted)?.level ?? '';
}

describe.each([
  ['agent', 1],
  ['agent', 2],
  ['client', 1],
  ['client', 2],
] as const)('requirements on the %s in version %i', (kind, version) => {
  const scenarios = scenariosIn(version, all[kind]).filter(({ over }) => version === 1 || over === undefined);
  const audited = alwaysJudged(kind, version);
  const bindingIds = binding(kind, version).map(({ id }) => id);
  const unobservable = Object.fromEntries(
    binding(kind, version).flatMap((each) =>
      each.unobservable?.[kind] === undefined ? [] : [[each.id, each.unobservable[kind]]],
    ),
  );
  const covered = new Set<string>([...scenarios.flatMap(({ covers }) => covers), ...audited]);

  test('every requirement has a scenario, an audit rule, or a reason why it is unobservable', () => {
    const isCovered = (id: RequirementId): boolean => covered.has(id) || unobservable[id] !== undefined;
    expect(bindingIds.filter((id) => !isCovered(id))).toEqual([]);
  });

  test('every observable MUST is checked at least twice: by two scenarios, by one that runs twice, or on every connection', () => {
    const sole = soleScenarios(kind, scenarios, audited);
    const timesChecked = (id: RequirementId): number =>
      audited.includes(id)
        ? Infinity
        : scenarios
            .filter(({ covers }) => covers.includes(id))
            .reduce((sum, scenario) => sum + (sole.get(id) === scenario.id ? 2 : 1), 0);
    const owed = bindingIds.filter((id) => levelOf(id).startsWith('MUST') && unobservable[id] === undefined);
    expect(owed.filter((id) => timesChecked(id) < 2)).toEqual([]);
  });

  test('no covered requirement is declared unobservable', () => {
    expect(Object.keys(unobservable).filter((id) => covered.has(id))).toEqual([]);
  });

  test('only requirements on this side are covered or declared unobservable', () => {
    const known = new Set<string>(bindingIds);
    const strays = [...covered, ...Object.keys(unobservable)].filter((id) => !known.has(id));
    expect(strays).toEqual([]);
  });

  test('every scenario has a unique id with a folder', () => {
    const ids = scenarios.map(({ id }) => id);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place || !/^[a-z-]+\/[a-z0-9-]+$/.test(id))).toEqual([]);
  });
});

test('requirement ids are unique and end with R420 and V164', () => {
  const ids = requirements.map(({ id }) => id);
  const isKnown = (id: string): boolean => (/^R\d{3}$/.test(id) ? id <= 'R420' : /^V\d{3}$/.test(id) && id <= 'V164');
  expect(ids.filter((id, place) => ids.indexOf(id) !== place || !isKnown(id))).toEqual([]);
});

/** Numbers between V001 and V105 without a rule. */
const unused = new Set(
  'V019 V026 V027 V028 V029 V038 V039 V049 V059 V067 V068 V069 V078 V079 V087 V088 V089 V096 V097 V098 V099'.split(' '),
);

/** Permissions of the agent, and the requirement that binds the client: that it does not stumble over their use. */
const permissions: Readonly<Record<string, RequirementId>> = {
  // Background work may continue while the session is idle.
  V045: 'V141',
  // Work may begin before the prompt is inserted.
  V052: 'V057',
};

test('every rule of version 2 is a requirement, or a permission that a requirement protects', () => {
  const known = new Set<string>(requirements.map(({ id }) => id));
  const rules = Array.from({ length: 105 }, (_, index) => `V${String(index + 1).padStart(3, '0')}`);
  const owed = rules.filter((id) => !unused.has(id) && !known.has(permissions[id] ?? id));
  expect(owed).toEqual([]);
});

test('a requirement of version 1 has one name in version 2', () => {
  const names = requirements.flatMap(({ sameAs = [] }) => sameAs);
  const known = new Set(requirements.filter(({ profile }) => profile !== 'v2').map(({ id }) => id));
  expect(names.filter((id, place) => names.indexOf(id) !== place || !known.has(id))).toEqual([]);
});

test('every requirement can be broken: a permission is not a requirement', () => {
  expect(requirements.filter(({ level }) => String(level) === 'MAY').map(({ id }) => id)).toEqual([]);
});

test('every source of a requirement is a documentation page or one of the other documents', () => {
  const pages = new Set(
    'agent-plan authentication cancellation content elicitation error extensibility file-system initialization overview prompt-turn schema session-config-options session-delete session-list session-modes session-setup slash-commands terminals tool-calls transports'.split(
      ' ',
    ),
  );
  const proposals = new Set(
    'additional-directories auth-methods boolean-config-option custom-llm-endpoint elicitation logout-method message-id meta-propagation request-cancellation session-close session-compaction session-config-options session-info-update session-list session-notices session-usage streamable-http-websocket-transport tool-call-name'.split(
      ' ',
    ),
  );
  const isKnown = (source: string): boolean => {
    const address = sourcePage(source);
    if (address === undefined) return otherSources[source] !== undefined;
    const [, kind, page = ''] = /com\/(protocol\/v[12](?:\/draft)?|rfds)\/([a-z-]+)$/.exec(address) ?? [];
    if (kind === undefined) return ['version 2', 'JSON-RPC 2.0'].includes(source);
    if (kind === 'protocol/v2') return source === 'version 2' || pages.has(page) || page === 'prompt-lifecycle';
    return (kind === 'rfds' ? proposals : pages).has(page);
  };
  const sources = [...new Set(requirements.flatMap((requirement) => requirement.sources))];
  expect(sources.filter((source) => !isKnown(source))).toEqual([]);
});
