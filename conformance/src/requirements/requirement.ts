/** The name of a requirement: `R001` to `R404`. Names are never reused. */
export type RequirementId = `R${number}`;

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
   * for WebSocket and HTTP, for both sides of a remote connection.
   */
  readonly profile: 'v1' | 'remote' | ExtraProfile;
  readonly binds: Subject | 'both';
  /** The part of the protocol that it belongs to, such as `Prompt turn`. */
  readonly section: string;
  /** The required behaviour; for `MUST NOT` and `SHOULD NOT` the forbidden one. */
  readonly behaviour: string;
  /** Its sources: pages of the documentation, the schema, proposals. */
  readonly sources: readonly string[];
  /** The sentence that it is based on. Absent if no single sentence states it. */
  readonly quote?: Quote;
  /** Why it cannot be observed from outside, by side. Such a requirement needs no scenario. */
  readonly unobservable?: Readonly<Partial<Record<Subject, string>>>;
}
