import { afterAll, vi } from 'vitest';

// Files share processes: the next file gets the environment variables that were set when the process began.
afterAll(() => void vi.unstubAllEnvs());
