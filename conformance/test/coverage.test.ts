import { describe, expect, test } from 'vitest';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { alwaysSeen } from '../src/audit/audited.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import { soleLooks } from '../src/judge/looked-at-twice.ts';
import type { RequirementId, Subject } from '../src/requirements/requirement.ts';
import { requirements } from '../src/requirements/requirements.ts';
import { otherSources, sourcePage } from '../src/requirements/source-pages.ts';

interface Looked {
  readonly scenarios: readonly { readonly id: string; readonly covers: readonly RequirementId[] }[];
  readonly audited: readonly RequirementId[];
}

const looked: Readonly<Record<Subject, Looked>> = {
  agent: { scenarios: agentScenarios, audited: alwaysSeen.agent },
  client: { scenarios: clientScenarios, audited: alwaysSeen.client },
};

function bindingIds(kind: Subject): readonly RequirementId[] {
  return requirements.filter(({ binds }) => binds === kind || binds === 'both').map(({ id }) => id);
}

function levelOf(wanted: RequirementId): string {
  return requirements.find(({ id }) => id === wanted)?.level ?? '';
}

describe.each(['agent', 'client'] as const)('of what binds the %s', (kind) => {
  const { scenarios, audited } = looked[kind];
  const unobservable = Object.fromEntries(
    requirements.flatMap((each) =>
      each.unobservable?.[kind] === undefined ? [] : [[each.id, each.unobservable[kind]]],
    ),
  );
  const covered = new Set<string>([...scenarios.flatMap(({ covers }) => covers), ...audited]);

  test('every requirement has a scenario, a rule of the audit, or a reason why nobody can see it', () => {
    const isLookedAt = (id: RequirementId): boolean => covered.has(id) || unobservable[id] !== undefined;
    expect(bindingIds(kind).filter((id) => !isLookedAt(id))).toEqual([]);
  });

  test('every MUST that can be seen is looked at twice at least: by two scenarios, by one that runs twice, or in every connection', () => {
    const sole = soleLooks(kind, scenarios, audited);
    const looksAt = (id: RequirementId): number =>
      audited.includes(id)
        ? Infinity
        : scenarios
            .filter(({ covers }) => covers.includes(id))
            .reduce((sum, scenario) => sum + (sole.get(id) === scenario.id ? 2 : 1), 0);
    const owed = bindingIds(kind).filter((id) => levelOf(id).startsWith('MUST') && unobservable[id] === undefined);
    expect(owed.filter((id) => looksAt(id) < 2)).toEqual([]);
  });

  test('nothing that is looked at is called unobservable', () => {
    expect(Object.keys(unobservable).filter((id) => covered.has(id))).toEqual([]);
  });

  test('nothing is looked at, or called unobservable, that does not bind it', () => {
    const binding = new Set<string>(bindingIds(kind));
    const strays = [...covered, ...Object.keys(unobservable)].filter((id) => !binding.has(id));
    expect(strays).toEqual([]);
  });

  test('every scenario has an id of its own, in a folder', () => {
    const ids = scenarios.map(({ id }) => id);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place || !/^[a-z-]+\/[a-z0-9-]+$/.test(id))).toEqual([]);
  });
});

test('no two requirements share an id, and none is above R404 so far', () => {
  const ids = requirements.map(({ id }) => id);
  expect(ids.filter((id, place) => ids.indexOf(id) !== place || !/^R\d{3}$/.test(id) || id > 'R404')).toEqual([]);
});

test('every requirement can be broken: a freedom is none', () => {
  expect(requirements.filter(({ level }) => String(level) === 'MAY').map(({ id }) => id)).toEqual([]);
});

test('every source of a requirement is a page, or one of the other documents', () => {
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
    const [, kind, page = ''] = /com\/(protocol\/v1(?:\/draft)?|rfds)\/([a-z-]+)$/.exec(address) ?? [];
    if (kind === undefined) return ['version 2', 'JSON-RPC 2.0'].includes(source);
    return (kind === 'rfds' ? proposals : pages).has(page);
  };
  const sources = [...new Set(requirements.flatMap((requirement) => requirement.sources))];
  expect(sources.filter((source) => !isKnown(source))).toEqual([]);
});
