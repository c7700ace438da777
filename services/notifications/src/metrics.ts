import { Counter } from 'prom-client';

export const pushMetrics = {
  sent: new Counter({
    name: 'wayquest_push_messages_total',
    help: 'Push messages by what became of them: sent, gone (the browser), refused, failed (tried again)',
    labelNames: ['outcome'],
  }),
};
