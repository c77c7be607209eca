/** A change that cannot be undone, with the reason, which continues a sentence about the path: `it was changed since`. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}
