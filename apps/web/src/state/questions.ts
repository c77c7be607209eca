import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionRequest,
} from '@turnwire/protocol';

/** A question of the agent that waits for an answer of this window, or of another one. */
export type OpenQuestion =
  | {
      readonly type: 'permission';
      readonly id: number;
      readonly request: RequestPermissionRequest;
      readonly answer: (option: PermissionOption | undefined) => void;
    }
  | {
      readonly type: 'elicitation';
      readonly id: number;
      readonly request: CreateElicitationRequest;
      readonly answer: (response: CreateElicitationResponse) => void;
    };

/** A page that the agent asked the user to open. */
export interface PageVisit {
  readonly id: string;
  readonly url: string;
}
