import { afterAll, vi } from 'vitest';

// Files share processes: the next one is loaded with the variables that were set when the process began.
afterAll(() => void vi.unstubAllEnvs());
