/** For a part of the official package that this one does not have. */
export function absent(what: string, instead: string): Error {
  return new Error(`@turnwire/sdk-compat lacks ${what}: ${instead}`);
}
