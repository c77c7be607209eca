// @ts-check
/** Node's own engine, or the same as a package for a Node that has none. */
export async function engine() {
  try {
    return await import('node:sqlite');
  } catch {
    return await import('@photostructure/sqlite');
  }
}
