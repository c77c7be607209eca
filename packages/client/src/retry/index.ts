export { type Condition, conditionOf } from './condition.ts';
export { isRepeatable, type Retry, type RetryCondition, type RetryOptions, withRetry } from './with-retry.ts';
