import { Counter, Gauge } from 'prom-client';

export const moderationMetrics = {
  open: new Gauge({
    name: 'wayquest_moderation_open_cases',
    help: 'Cases that wait for a decision, by what they are about',
    labelNames: ['kind'],
  }),
  oldest: new Gauge({
    name: 'wayquest_moderation_oldest_case_seconds',
    help: 'How long the oldest of them has waited',
  }),
  overdue: new Gauge({
    name: 'wayquest_moderation_overdue_cases',
    help: 'Those by which the owner of a place should have been answered by now',
  }),
  answered: new Counter({
    name: 'wayquest_moderation_place_answers_total',
    help: 'Owners of places that were answered, by whether it was in time: yes, no',
    labelNames: ['in_time'],
  }),
};
