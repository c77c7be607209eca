import ofVersion1 from './requirements.json' with { type: 'json' };
import ofVersion2 from './requirements-v2.json' with { type: 'json' };
import type { CheckedVersion, Requirement, RequirementId } from './requirement.ts';

/** All requirements, those of version 1 and of transports first, in the order of the sections. */
export const requirements: readonly Requirement[] = [...ofVersion1, ...ofVersion2] as readonly Requirement[];

const namesInVersion2 = new Map(
  requirements.flatMap(({ id, sameAs = [] }) => sameAs.map((each) => [each, id] as const)),
);

const ofVersion1Only = new Set(
  requirements.filter(({ profile }) => profile !== 'v2' && profile !== 'remote').map(({ id }) => id),
);

/** Whether a requirement can be judged in a version of the protocol. Those of remote transports are the same in both. */
export function appliesIn(version: CheckedVersion, id: RequirementId): boolean {
  return version === 1 || !ofVersion1Only.has(id);
}

/** The requirement to which an observation belongs in a version of the protocol. */
export function requirementIn(version: CheckedVersion, id: RequirementId): RequirementId {
  return version === 2 ? (namesInVersion2.get(id) ?? id) : id;
}

/** The commit of `agentclientprotocol/agent-client-protocol` whose pages, in its folder `docs`, and schema are quoted. */
export const sourceCommit = 'b7f0005493b98de32fabee3e9540e2b64da68535';
