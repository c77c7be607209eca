import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that a program reading the log can count on. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string): number => states.filter((each) => each === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandled.length;
    const skipped = count('skipped');
    if (skipped > 0)
      process.stdout.write(`\n${skipped} skipped: what they need is not on this machine (each says what)\n`);
    process.stdout.write(`\n${count('passed')} passed, ${count('failed') + broken} failed\n`);
  }
}
