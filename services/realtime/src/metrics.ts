import { Counter, Gauge } from 'prom-client';

export const realtimeMetrics = {
  sockets: new Gauge({
    name: 'wayquest_realtime_sockets',
    help: 'Open sockets of this process',
  }),
  refused: new Counter({
    name: 'wayquest_realtime_refused_total',
    help: 'Sockets that were refused or cut off for their token',
  }),
  deliveries: new Counter({
    name: 'wayquest_realtime_deliveries_total',
    help: 'Events given to this process for the people who are on it',
    labelNames: ['event'],
  }),
  words: new Counter({
    name: 'wayquest_realtime_words_total',
    help: 'What other nodes told this process, by what it was about',
    labelNames: ['about'],
  }),
  resyncs: new Counter({
    name: 'wayquest_realtime_resyncs_total',
    help: 'Times that this process told its clients to ask for what they may have missed',
  }),
};
