export type { Brought } from './merge-into-origin.ts';
export { lostWork, type OpenWork, type Place, PlaceError, type PlaceKind, placeKinds } from './place.ts';
export { originOf } from './origin-of.ts';
export { type ListedPlace, Places, type PrunedPlace, type WantedPlace } from './places.ts';
export { type AgentPlace, PlacePrefix } from './prefix/agent-place.ts';
export { type MappedEditions, mappedTransport } from './prefix/mapped-transport.ts';
export { PlaceTerminals } from './prefix/place-terminals.ts';
