/** A change that is not taken back, with the reason, which continues from the path: `somebody changed it since`. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}
