/** A key press. */
export interface Key {
  /** Its name with modifiers: `a`, `ctrl-c`, `shift-tab`, `up`, `meta-return`. Empty for a character without a name. */
  readonly chord: string;
  /** The text it types; empty for a key that types nothing. */
  readonly text: string;
}
