import type { Mutant } from '../../mutant-line.ts';

export const shutdownMutants: readonly Mutant[] = ['idle', 'mid-turn', 'terminated'].map((when) => ({
  name: `never exits (${when})`,
  judges: 'agent',
  scenario: `shutdown/${when}`,
  breaks: 'R012',
  needs: 'process',
  defect: () => ({ isImmortal: true }),
}));
