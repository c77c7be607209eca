export { protocolVersions } from './versions.ts';
