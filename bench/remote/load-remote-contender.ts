import type { ContenderName } from '../wire/contender.ts';
import type { RemoteContender } from './remote-contender.ts';

/** Loads only the code of one contender. */
export async function loadRemoteContender(name: ContenderName): Promise<RemoteContender> {
  switch (name) {
    case 'floor':
      return (await import('./floor.ts')).floor;
    case 'official':
      return (await import('./official.ts')).official;
    case 'turnwire':
      return (await import('./turnwire.ts')).turnwire;
  }
}
