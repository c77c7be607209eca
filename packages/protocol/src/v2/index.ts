export { v2Checks } from '../generated/v2-checks.ts';
export { v2Shapes } from '../generated/v2-shapes.ts';
export type * from '../generated/v2-types.ts';
export { v2, type V2 } from './edition.ts';
export type { V2Agreement } from './gates.ts';
export { v2Methods } from './methods.ts';
export { type AcceptedVersion, acceptVersion, unsupportedProtocolVersion, unsupportedVersion } from './negotiation.ts';
export { patched, type Patch } from './patched.ts';
export {
  type AgreedPeer,
  type ClientVersions,
  connectAgentVersions,
  connectClientVersions,
  type Offer,
} from './versions.ts';
