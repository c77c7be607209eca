import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long, which would have the whole run wait if they began last. Others go by what they took before, or by size. */
const long =
  /conformance\/test\/(mutants|check-agent|fuzz)|apps\/coder\/test\/e2e|apps\/cli\/test\/faults|permission\/what-runs/;

/** Begins with what takes longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (long.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
