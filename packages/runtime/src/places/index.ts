export { type OpenWork, type Place, PlaceError, type PlaceKind, placeKinds } from './place.ts';
export { type Brought, type ListedPlace, lostWork, originOf, Places, type WantedPlace } from './places.ts';
