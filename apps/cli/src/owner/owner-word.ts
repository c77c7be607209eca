/** The word that makes this program an owner. Not for people, so no help page lists it. */
export const ownerWord = 'own-session';
