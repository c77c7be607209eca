export { type OpenWork, type Place, PlaceError, type PlaceKind, placeKinds } from './place.ts';
export { type Brought, type ListedPlace, lostWork, Places, type WantedPlace } from './places.ts';
