import type { Contender, ContenderName } from './contender.ts';

/** Loads only the code of one contender. */
export async function loadContender(name: ContenderName): Promise<Contender> {
  switch (name) {
    case 'floor':
      return (await import('./floor.ts')).floor;
    case 'official':
      return (await import('./official.ts')).official;
    case 'turnwire':
      return (await import('./turnwire.ts')).turnwire;
  }
}
