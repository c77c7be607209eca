/** The name of a requirement: `R001` to `R404`. A name is never given to another requirement. */
export type RequirementId = `R${number}`;

/** How strong a requirement is: as its source has it. `DERIVED` follows from the text or from JSON-RPC without being said. */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'DERIVED';

/** The two who can be judged. */
export type Subject = 'agent' | 'client';

/** Words of a source, as they stand there without their markup. */
export interface Quote {
  readonly text: string;
  /** One of the requirement's sources. */
  readonly source: string;
  /** The heading it stands under on a page; a definition and its property in the schema. */
  readonly anchor?: string;
}

/** What a check judges besides the official text, if it is asked to: see `profile` of {@link Requirement}. */
export type ExtraProfile = 'proposal' | 'dialect' | 'unstable';

/** Something the protocol asks of an agent, of a client, or of both. */
export interface Requirement {
  readonly id: RequirementId;
  readonly level: Level;
  /** `stated`: the quote says it with the word of the level. `implied`: it follows from what is quoted, or from the sources as a whole. */
  readonly basis: 'stated' | 'implied';
  /**
   * What it belongs to: `v1` is the official text; `proposal` what stands only in proposals and drafts of it; `dialect` what only other
   * documents ask for, or practice; `unstable` what the schema with the unstable methods of version 1 asks for; `remote` what the proposal for WebSocket and HTTP asks of both where an agent is reached over them.
   */
  readonly profile: 'v1' | 'remote' | ExtraProfile;
  readonly binds: Subject | 'both';
  /** The part of the protocol it belongs to, such as `Prompt turn`. */
  readonly section: string;
  /** What is asked. Of `MUST NOT` and `SHOULD NOT` it names what is forbidden. */
  readonly behaviour: string;
  /** Where it is written: pages of the documentation, the schema, proposals. */
  readonly sources: readonly string[];
  /** The sentence that it rests on. Absent where no single one says it. */
  readonly quote?: Quote;
  /** Why it cannot be seen from outside whether a side keeps it. With a reason no scenario is owed. */
  readonly unobservable?: Readonly<Partial<Record<Subject, string>>>;
}
