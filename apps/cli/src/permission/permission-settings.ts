/** Who answers what an agent asks permission for. */
export interface PermissionSettings {
  /** `ask` asks a person about everything; `approve-reads` about all but reading and searching. */
  readonly base: 'ask' | 'approve-reads' | 'approve-all' | 'deny-all';
  /** What becomes of a question nobody can be asked: refused, or the end of the turn. */
  readonly whenNobodyAnswers: 'deny' | 'fail';
}
