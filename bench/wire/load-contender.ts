import type { Contender, ContenderName } from './contender.ts';
import { benchProtocol } from './protocol.ts';

/** Loads only the code of one contender. */
export async function loadContender(name: ContenderName): Promise<Contender> {
  const isVersion2 = benchProtocol() === 2;
  switch (name) {
    case 'floor':
      return isVersion2 ? (await import('./v2/floor.ts')).floor : (await import('./floor.ts')).floor;
    case 'official':
      return isVersion2 ? (await import('./v2/official.ts')).official : (await import('./official.ts')).official;
    case 'turnwire':
      return isVersion2 ? (await import('./v2/turnwire.ts')).turnwire : (await import('./turnwire.ts')).turnwire;
  }
}
