import type { Contender, ProgramName } from './contender.ts';
import type { Sdk } from '../compat/program.ts';
import { benchProtocol } from './protocol.ts';

/** Loads only the code of one contender. */
export async function loadContender(name: ProgramName): Promise<Contender> {
  const isVersion2 = benchProtocol() === 2;
  switch (name) {
    case 'floor':
      return isVersion2 ? (await import('./v2/floor.ts')).floor : (await import('./floor.ts')).floor;
    case 'official':
      return isVersion2 ? (await import('./v2/official.ts')).official : (await import('./official.ts')).official;
    case 'turnwire':
      return isVersion2 ? (await import('./v2/turnwire.ts')).turnwire : (await import('./turnwire.ts')).turnwire;
    default:
      return (await import('../compat/program.ts')).programOn((await import(name)) as Sdk);
  }
}
