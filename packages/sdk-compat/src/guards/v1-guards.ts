import { v1 } from '@turnwire/protocol';
import type * as types from '../generated/v1-types.ts';
import { guardsOf, type GuardsOf } from './guards.ts';

/** A form or a page that the agent shows to the user. */
export type CreateElicitationRequest = types.CreateElicitationRequest;
/** Which kind of elicitation it is. */
export const CreateElicitationRequest: GuardsOf<types.CreateElicitationRequest, 'mode'> = guardsOf(
  v1,
  'CreateElicitationRequest',
);

/** The user's answer. */
export type CreateElicitationResponse = types.CreateElicitationResponse;
/** Which answer it is. */
export const CreateElicitationResponse: GuardsOf<types.CreateElicitationResponse, 'action'> = guardsOf(
  v1,
  'CreateElicitationResponse',
);

/** A field of a form. */
export type ElicitationPropertySchema = types.ElicitationPropertySchema;
/** Which type the field has. */
export const ElicitationPropertySchema: GuardsOf<types.ElicitationPropertySchema, 'type'> = guardsOf(
  v1,
  'ElicitationPropertySchema',
);

/** The choices of a field. */
export type MultiSelectItems = types.MultiSelectItems;
/** Which form the choices have. */
export const MultiSelectItems: GuardsOf<types.MultiSelectItems, 'type', 'Titled'> = guardsOf(
  v1,
  'MultiSelectItems',
  'Titled',
);
