import { choice, list, object, required, string } from './language.ts';

export const PlanEntryPriority = choice('How much a task matters.', {
  high: 'Without it the goal is missed.',
  medium: 'It matters.',
  low: 'It would be nice.',
});

export const PlanEntryStatus = choice('How far a task has come.', {
  pending: 'Not begun.',
  in_progress: 'Being done.',
  completed: 'Done.',
});

export const PlanEntry = object('A task of a plan.', {
  content: required(string, 'What is to be done, for the user.'),
  priority: required(PlanEntryPriority, 'How much it matters.'),
  status: required(PlanEntryStatus, 'How far it has come.'),
});

export const Plan = object('What the agent means to do. Each plan replaces the one before as a whole.', {
  entries: required(list(PlanEntry), 'All the tasks, in order.').orEmpty().withoutBadItems(),
});
