/**
 * The name of a requirement: `R…` of version 1 and of transports, `V…` of version 2 of the protocol. Names are never reused.
 */
export type RequirementId = `${'R' | 'V'}${number}`;

/** A version of the protocol that can be judged. */
export type CheckedVersion = 1 | 2;

/** The strength of a requirement, as its source states it. `DERIVED` follows from the text or from JSON-RPC without being stated. */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'DERIVED';

/** The two sides that can be judged. */
export type Subject = 'agent' | 'client';

/** A quotation from a source, without markup. */
export interface Quote {
  readonly text: string;
  /** One of the requirement's sources. */
  readonly source: string;
  /** The heading of the section on a page; in the schema a definition and its property. */
  readonly anchor?: string;
}

/** Profiles that a check judges only on request: see `profile` of {@link Requirement}. */
export type ExtraProfile = 'proposal' | 'dialect' | 'unstable';

/** A requirement of the protocol on agents, on clients, or on both. */
export interface Requirement {
  readonly id: RequirementId;
  readonly level: Level;
  /** `stated`: the quote says so, with the word of the level. `implied`: it follows from the quote, or from the sources as a whole. */
  readonly basis: 'stated' | 'implied';
  /**
   * The body of text that it belongs to: `v1` is the official text; `proposal` covers proposals and drafts; `dialect` covers other
   * documents and established practice; `unstable` covers the schema of version 1 with its unstable methods; `remote` covers the proposal
   * for WebSocket and HTTP, for both sides of a remote connection; `v2` covers version 2 of the protocol.
   */
  readonly profile: 'v1' | 'v2' | 'remote' | ExtraProfile;
  readonly binds: Subject | 'both';
  /** The part of the protocol that it belongs to, such as `Prompt turn`. */
  readonly section: string;
  /** The required behaviour; for `MUST NOT` and `SHOULD NOT` the forbidden one. */
  readonly behaviour: string;
  /** Its sources: pages of the documentation, the schema, proposals. */
  readonly sources: readonly string[];
  /** The sentence that it is based on. Absent if no single sentence states it. */
  readonly quote?: Quote;
  /**
   * For a requirement of version 2: those of version 1 that say the same, or a part of it. Scenarios and rules for both versions observe
   * these; in version 2 their observations belong to this requirement.
   */
  readonly sameAs?: readonly RequirementId[];
  /** The ids of the official test kit, acp-tck, that check the same. */
  readonly official?: readonly string[];
  /** Why it cannot be observed from outside, by side. Such a requirement needs no scenario. */
  readonly unobservable?: Readonly<Partial<Record<Subject, string>>>;
}
